"""pytest's collection, reports and end → scenarios judged as the command line judges them; only loaded when asked."""
