"""``python -m ginrummy``."""

import sys


def main() -> None:
    """Run the program. An interrupt while it still loads ends it as quietly as a later one."""
    try:
        from ginrummy.cli.main import main as run
    except KeyboardInterrupt:
        raise SystemExit(130) from None
    except ImportError as error:
        if type(error).__name__ != "KernelError":
            raise
        print(f"ginrummy: {error}", file=sys.stderr)
        raise SystemExit(2) from None
    run()


if __name__ == "__main__":
    main()
