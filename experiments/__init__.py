"""What counts and compares: plans, runs, statistics, reports and the `spike` command."""
