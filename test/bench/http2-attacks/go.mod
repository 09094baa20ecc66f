module coxswain.test/http2-attacks

go 1.26.0

require golang.org/x/net v0.56.0

require golang.org/x/text v0.38.0 // indirect
