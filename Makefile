# Everything a newcomer needs: `make run`, `make test`. The runtime comes with `npm ci`; only npm itself must be there.
NODE := node_modules/.bin/node
TSC := $(NODE) node_modules/typescript/bin/tsc
JEST := $(NODE) --experimental-vm-modules --disable-warning=ExperimentalWarning node_modules/jest/bin/jest.js
PORT ?= 6443
DATA_DIR ?= ./data
VECTORS ?= test/vectors
PROGRAM_SOURCES := $(shell find cmd/build cmd/coxswain pkg -name '*.ts' ! -name '*.test.ts')
FUZZ_RUNS ?= 1000000

.PHONY: help run build test test-vectors test-clients test-http2 test-controllers compare compare-access compare-audit compare-collectors compare-rbac fuzz chaos lint typecheck generate generate-check format bench bench-docs bench-attacks clean

help: ## Show this
	@sed -n 's/^\([a-z0-9-]*\):.*## \(.*\)/  \1\t\2/p' Makefile | expand -t 22

run: build ## Serve HTTPS on loopback with the embedded store
	@exec bin/coxswain serve --secure-port $(PORT) --data-dir $(DATA_DIR)

build: dist/coxswain.js ## Bundle the program into dist/

dist/coxswain.js: node_modules/.package-lock.json $(PROGRAM_SOURCES)
	@$(NODE) cmd/build/main.ts

# The last line is the count; etcd is found or installed by the tests themselves (test/support/etcd.ts).
test: build ## Run all tests, or those of TESTS=path; the last line is the count
	@$(JEST) $(TESTS) --reporters=default --reporters=./test/support/count-reporter.js

# Every vector of a folder, one case each; `test` runs those of test/vectors too.
test-vectors: node_modules/.package-lock.json ## Run every vector of VECTORS=folder, one case each
	@VECTORS='$(VECTORS)' $(JEST) test/vectors-run/vectors.test.ts --verbose --reporters=default --reporters=./test/support/count-reporter.js

# Small programs with the clients of other languages, on both stores: CLIENTS=go,rust, or all whose tools are here. The last line is the count.
test-clients: build ## Run clients in other languages against the server, or CLIENTS=go,rust
	@$(NODE) test/clients/run.ts $(CLIENTS)

# Wants Go.
test-http2: node_modules/.package-lock.json ## Hold the HTTPS port against h2spec; wants Go
	@$(NODE) test/transport/h2spec.ts

# The same random requests to both, for every kind that is served. COUNT (20,000), SEED, STORE=embedded, OUTPUT=file; docs/testing.md has more. Wants Go and etcd 3.5.
compare: build ## Compare with kube-apiserver for KINDS=CronJob,Event, or all; wants Go
	@$(NODE) test/reference/main.ts

# The audit events of some fifty requests to both.
compare-audit: build ## Compare audit events with those of kube-apiserver; wants Go
	@$(NODE) test/reference/audit/main.ts

# Users, verbs, resources, names, namespaces, paths and impersonation under the same roles, by thousands of requests to both.
compare-access: build ## Compare who may do what with kube-apiserver; wants Go
	@$(NODE) test/reference/access/main.ts

# Random policies, decisions, rules and grants. COUNT decisions (100,000), SEED; WRITE_VECTORS=1 writes test/vectors/rbac anew instead.
compare-rbac: node_modules/.package-lock.json ## Compare RBAC with Kubernetes' own authorizer; wants Go
	@$(NODE) test/reference/rbac/main.ts

# The same random graphs of owners and deletions of namespaces on both, each with its controllers. COUNT (2,000), SEED, STORE=embedded; docs/testing.md has more. Wants Go and etcd 3.5.
compare-collectors: build ## Compare the controllers with kube-controller-manager; wants Go
	@$(NODE) test/reference/collectors/main.ts

# The CronJob controller of kube-controller-manager on both stores. MINUTES (3) says how long Jobs are to be on time. Wants Go; the last line is the count.
test-controllers: build ## Run Kubernetes' CronJob controller on the server; wants Go
	@$(NODE) test/controller-manager/main.ts

# A million broken inputs for every reader, and a tenth as many hostile requests to the built program; `test` tries a few thousand, the same each time. FUZZ_RUNS says how many.
fuzz: build ## Give FUZZ_RUNS broken inputs to every reader (1,000,000), and a tenth to the server
	@PROPERTY_RUNS='$(FUZZ_RUNS)' $(JEST) '\.fuzz\.test\.ts$$'

# Two servers and an etcd, three members, the embedded store: random troubles for CHAOS_SECONDS (300), CHAOS_SEED tells which. `test` has a short run.
chaos: build ## Break servers and stores at random for CHAOS_SECONDS (300)
	@$(NODE) test/chaos/main.ts

lint: node_modules/.package-lock.json ## Check style, formatting and imports
	@$(NODE) node_modules/eslint/bin/eslint.js --cache --cache-location node_modules/.cache/eslint/ .
	@$(NODE) node_modules/prettier/bin/prettier.cjs --check --log-level warn .
	@$(NODE) cmd/codegen/check-dependencies.ts

typecheck: node_modules/.package-lock.json ## Check types
	@$(TSC) --noEmit

generate: node_modules/.package-lock.json ## Write what is generated anew
	@$(NODE) cmd/codegen/main.ts

generate-check: node_modules/.package-lock.json ## Fail when something generated is stale
	@$(NODE) cmd/codegen/main.ts --check

format: node_modules/.package-lock.json ## Format everything
	@$(NODE) node_modules/prettier/bin/prettier.cjs --write --log-level warn .

bench: build ## Measure, and compare the figures with the budget; BENCH=--help
	@$(NODE) test/bench/main.ts $(BENCH)

# Beside Kubernetes' own library, then beside its server; docs/performance.md with its pictures is written anew from both. Nothing else should run meanwhile.
bench-docs: build ## Measure beside Kubernetes and write docs/performance.md; wants Go
	@$(NODE) test/bench/main.ts --docs --peer --budget 2400 $(BENCH)
	@$(NODE) test/bench/main.ts --docs --reference --budget 1800

# The known classes of HTTP/2 attacks, by a client in Go, against both HTTP/2 transports and Go's server.
bench-attacks: build ## Attack the HTTPS port, and measure what others meet; wants Go
	@$(NODE) test/bench/attacks.ts $(BENCH)

clean: ## Remove what was built
	rm -rf dist coverage

# Installs when there is nothing yet, or when the lock file is newer than what was installed.
node_modules/.package-lock.json: package-lock.json
	npm ci --ignore-scripts --no-audit --no-fund --loglevel=error
	@touch $@
