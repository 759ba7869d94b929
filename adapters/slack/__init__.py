"""Slack: events in, answers out. Start at `app.SlackPlatform`."""
