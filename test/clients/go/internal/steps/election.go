package steps

import "time"

// LeaseName and the times are those of every candidate, whatever its client.
const (
	LeaseName     = "election"
	LeaseDuration = 4 * time.Second
	RenewDeadline = 3 * time.Second
	RetryPeriod   = time.Second
)
