"""``python -m ginrummy``."""


def main() -> None:
    """Run the program. An interrupt while it still loads ends it as quietly as a later one."""
    try:
        from ginrummy.cli.main import main as run
    except KeyboardInterrupt:
        raise SystemExit(130) from None
    run()


if __name__ == "__main__":
    main()
