# Everything a developer does. "make" alone lists it.
#
# run and test set themselves up: they install what is missing where they can, build the development stack
# (PostgreSQL, Temporal and its UI around a command, see dev/) and need no Docker. The large part of it is the engine,
# Temporal: make run builds that while the product runs already.

# The ports of make run, for example: make run API_PORT=8081
# With WEBHOOK_URL=http://127.0.0.1:9000/hook it also sends the events of test notes there.
API_PORT       ?= 8080
DASHBOARD_PORT ?= 8090
ADMIN_PORT     ?= 9090
UI_PORT        ?= 8233
TEMPORAL_PORT  ?= 7233
POSTGRES_PORT  ?= 5433
# Where live notes go in make run: national, sao-paulo (the city's own service) or both; or teresina, campinas, brasilia
# or ribeirao-preto, whose servers take the national declaration, and which the national simulator plays. Each is a
# simulator; its second port is the one at which faults are set.
AUTHORITY              ?= both
AUTHORITY_PORT         ?= 8443
AUTHORITY_CONTROL_PORT ?= 8444
SAO_PAULO_PORT         ?= 8445
SAO_PAULO_CONTROL_PORT ?= 8446

# More flags for go test, for example: make test TESTFLAGS='-run Cancel -v'
TESTFLAGS     ?=
# Flags of make bench, for example: make bench BENCHFLAGS='-rows backlog,live -out bench.md'; -help lists them.
BENCHFLAGS    ?=
# How much make chaos does; SEED repeats a run. CHAOSFLAGS are more flags: -help lists them.
NOTES         ?= 20000
FAULTS        ?= 200
SEED          ?= 0
CHAOSFLAGS    ?=
# Flags of make drill, for example: make drill DRILLFLAGS='-rounds 1 -failovers 0 -seed 7'; -help lists them.
DRILLFLAGS    ?=
# How long each fuzz target runs, and how many bodies go through the handler after them (10000000 takes hours).
FUZZTIME      ?= 20s
FUZZ_BODIES   ?= 100000
# What make release makes: a commit, as make release COMMIT=v1.0.0. REGISTRY, as ghcr.io/owner, is where image and chart
# are published; empty for nowhere.
COMMIT        ?= HEAD
REGISTRY      ?=
# Where make check gets known vulnerabilities from: a folder or a URL. Where it cannot be had, make check says so
# in its last line, and make release refuses.
GOVULNDB      ?= https://vuln.go.dev

STATICCHECK   := honnef.co/go/tools/cmd/staticcheck@v0.8.2
WORKFLOWCHECK := go.temporal.io/sdk/contrib/tools/workflowcheck@v0.6.0
GOVULNCHECK   := golang.org/x/vuln/cmd/govulncheck@v1.8.0

BIN           := .dev/bin
DEVSTACK      := $(BIN)/devstack
ENGINE        := $(BIN)/engine
ENGINE_UI     := $(BIN)/engine-ui
# Without cgo, as in production; and so that the large dev module is compiled once, not twice.
BUILD         := CGO_ENABLED=0 go build -buildvcs=false

.DEFAULT_GOAL := help
.PHONY: help run test flaky test-long test-gate check lint-api lines bench compare chaos containers kubernetes drill fuzz migrate build \
	release notice screenshots clean setup setup-tests setup-drill setup-clients demo engine run-engine engine-ui

help: ## list what can be made
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-10s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

run: export WEBHOOK_URL := $(WEBHOOK_URL)
run: export RUN_BEGAN := $(shell date +%s)
run: setup build demo $(DEVSTACK) ## start everything, issue sandbox and live notes, stay until Ctrl-C
	@$(DEVSTACK) -state .dev -postgres-port $(POSTGRES_PORT) -temporal-port $(TEMPORAL_PORT) -ui-port $(UI_PORT) \
		-engine $(BIN)/run-engine -engine-build 'make --no-print-directory run-engine' \
		-ui-build 'make --no-print-directory engine-ui' \
		-- $(BIN)/demo -dir .dev -emissor $(BIN)/emissor -authority $(AUTHORITY) \
		-simulator $(BIN)/sefin-simulator -sao-paulo-simulator $(BIN)/saopaulo-simulator \
		-api-port $(API_PORT) -dashboard-port $(DASHBOARD_PORT) -admin-port $(ADMIN_PORT) \
		-authority-port $(AUTHORITY_PORT) -authority-control-port $(AUTHORITY_CONTROL_PORT) \
		-sao-paulo-port $(SAO_PAULO_PORT) -sao-paulo-control-port $(SAO_PAULO_CONTROL_PORT)

test: setup-tests $(DEVSTACK) $(ENGINE) $(ENGINE_UI) ## run the tests, but for what takes long, on real parts that leave nothing behind
	@dev/test.sh $(TESTFLAGS)

test-long: setup-tests setup-drill setup-clients $(DEVSTACK) $(ENGINE) $(ENGINE_UI) ## run everything: under the race detector, faults, chaos, planted bugs, more cases
	@LONG_TESTS=1 dev/test.sh $(TESTFLAGS)

flaky: setup-tests $(DEVSTACK) $(ENGINE) $(ENGINE_UI) ## run the tests ten times (TIMES) beside a busy program, and say what was not the same
	@dev/flaky.sh $(TESTFLAGS)

test-gate: setup-tests $(DEVSTACK) $(ENGINE) $(ENGINE_UI) ## run what has to pass beside make test and check before a change lands
	@GATE=1 dev/test.sh $(TESTFLAGS)

check: setup $(BIN)/staticcheck $(BIN)/workflowcheck ## look at the code without running it
	@unformatted=$$(gofmt -l .); [ -z "$$unformatted" ] || { echo "gofmt would change:"; echo "$$unformatted"; exit 1; }
	go vet ./...
	cd test/system && go vet -tags faults,planted,upgrade ./...
	cd dev && CGO_ENABLED=0 go vet ./... && CGO_ENABLED=0 go vet -tags containers ./containers
	cd dev/kubernetes && CGO_ENABLED=0 go vet . && CGO_ENABLED=0 go vet -tags cluster .
	$(BIN)/staticcheck ./...
	cd test/system && ../../$(BIN)/staticcheck -tags faults,planted,upgrade ./...
	$(BIN)/workflowcheck ./workflows
	go test -run Replay ./workflows
	dev/generate-client.sh --check
	go mod tidy -diff
	cd dev && go mod tidy -diff
	for module in test/system dev/clients dev/kubernetes dev/kubernetes/decode; do \
		(cd $$module && go mod tidy -diff) || exit 1; done
	@cd dev && $(BUILD) -o ../$(BIN)/supply ./supply
	@$(BIN)/supply -database "$(GOVULNDB)" -govulncheck $(GOVULNCHECK) -bin $(BIN) . test/system

screenshots: setup-tests $(DEVSTACK) $(ENGINE) $(ENGINE_UI) ## make the pictures of the documentation anew
	@SCREENSHOTS=../docs $(DEVSTACK) -no-ui -log .dev/screenshots.log -- \
		go test -count=1 -vet=off -run TestScreenshots ./dashboard

notice: setup ## write NOTICE, which names what is linked and its licences
	@cd dev && $(BUILD) -o ../$(BIN)/supply ./supply
	@$(BIN)/supply -write-notice .

lint-api: setup $(BIN)/vacuum ## have vacuum lint api/openapi.yaml (6 minutes the first time, which builds it)
	LONG_TESTS=1 go test -C test/system -count=1 -run TestDescription_Lint ./clients

lines: ## count the lines of the product by room, and of what stands beside it
	@dev/lines.sh

bench: build $(DEVSTACK) $(ENGINE) ## measure the whole of it against a bare engine (25 minutes; BENCHFLAGS=-quick: 3)
	@cd test/system && $(BUILD) -o ../../$(BIN)/bench ./bench
	@$(DEVSTACK) -no-ui -log .dev/bench.log $(if $(findstring growth,$(BENCHFLAGS)),-state .dev/growth) -- \
		$(BIN)/bench $(BENCHFLAGS)

compare: build $(DEVSTACK) $(ENGINE) ## measure this tree and BASE=<commit> in turn, five times each (BENCHFLAGS=-quick: twice)
	@[ -n "$(BASE)" ] || { echo 'which commit is it compared with? make compare BASE=<commit>'; exit 2; }
	@rm -rf .dev/compare && mkdir -p .dev/compare/source
	@git archive $(BASE) | tar -x -C .dev/compare/source
	@cd .dev/compare/source && $(BUILD) -o ../ ./cmd/emissor ./cmd/sefin-simulator ./cmd/saopaulo-simulator
	@rm -rf .dev/compare/source
	@cd test/system && $(BUILD) -o ../../$(BIN)/bench ./bench
	@$(DEVSTACK) -no-ui -log .dev/compare.log -- $(BIN)/bench -base .dev/compare $(BENCHFLAGS)

chaos: build $(DEVSTACK) $(ENGINE) ## break everything at random (20,000 notes, 200 faults: NOTES, FAULTS, SEED)
	@cd test/system && $(BUILD) -o ../../$(BIN)/chaos ./chaos
	@$(DEVSTACK) -no-ui -log .dev/chaos.log -- $(BIN)/chaos -notes $(NOTES) -faults $(FAULTS) -seed $(SEED) \
		-emissor $(BIN)/emissor -simulator $(BIN)/sefin-simulator -sao-paulo $(BIN)/saopaulo-simulator \
		$(CHAOSFLAGS)

containers: ## follow the handbook on a machine of its own that has only Docker (root on Linux; 15 minutes or more)
	@dev/setup.sh containers
	@dev/containers/run.sh $(TESTFLAGS)

kubernetes: $(DEVSTACK) $(ENGINE) ## run the Helm chart on a cluster of its own (root on Linux; the first time 20 minutes)
	@dev/kubernetes/cluster.sh $(TESTFLAGS)

drill: build setup-drill $(DEVSTACK) $(ENGINE) ## lose the database under load and restore it (DRILLFLAGS)
	@cd test/system && $(BUILD) -o ../../$(BIN)/drill ./drill
	@$(DEVSTACK) -no-ui -log .dev/drill.log -- $(BIN)/drill -programs $(BIN) $(DRILLFLAGS)

fuzz: setup $(DEVSTACK) $(ENGINE) ## run every fuzz target for FUZZTIME (20s), then FUZZ_BODIES bodies
	FUZZ_BODIES=$(FUZZ_BODIES) $(DEVSTACK) -no-ui -- dev/fuzz.sh $(FUZZTIME)

migrate: build ## bring the database and Temporal named in the environment up to date
	$(BIN)/emissor migrate

build: setup ## build emissor and the simulators into .dev/bin
	@$(BUILD) -o $(BIN)/ ./cmd/emissor ./cmd/sefin-simulator ./cmd/saopaulo-simulator

release: setup ## make the files of a release in dist/ (COMMIT), and publish image and chart where REGISTRY says
	@cd dev && $(BUILD) -o ../$(BIN)/ ./release ./supply
	@$(BIN)/supply -must -database "$(GOVULNDB)" -govulncheck $(GOVULNCHECK) -bin $(BIN) . test/system
	@grep -qx "$$(git rev-parse $(or $(COMMIT),HEAD))" .dev/green 2>/dev/null || \
		echo 'NOT RECORDED AS GREEN: make test-long has not passed here on this commit, with a clean tree'
	@$(BIN)/release -commit "$(COMMIT)" -registry "$(REGISTRY)"

clean: ## remove .dev and dist: state, logs, keys and binaries of make run and make test, releases
	@[ ! -e .dev/lock ] || flock -n .dev/lock true || { echo "make run is still running here: stop it first"; exit 1; }
	rm -rf .dev dist

# Targets that those above use.

setup:
	@dev/setup.sh

setup-tests:
	@dev/setup.sh tests

setup-drill:
	@dev/setup.sh drill

setup-clients: $(BIN)/oapi-codegen
	@dev/setup.sh clients

demo: setup
	@$(BUILD) -o $(BIN)/demo ./test/demo

engine: $(ENGINE) $(ENGINE_UI)
	@:

engine-ui: $(ENGINE_UI)
	@:

# The engine of make run, which need not be compiled: dev/find-engine.sh says what it may be.
run-engine: setup
	@dev/find-engine.sh $(BIN)/run-engine $(ENGINE) make --no-print-directory $(ENGINE)

$(DEVSTACK): dev/go.mod dev/go.sum $(wildcard dev/devstack/*.go) | setup
	@cd dev && $(BUILD) -o ../$@ ./devstack

$(ENGINE): dev/go.mod dev/go.sum dev/build-engine.sh $(wildcard dev/engine/*.go) | setup
	@dev/build-engine.sh $@

$(ENGINE_UI): dev/go.mod dev/go.sum $(wildcard dev/engine-ui/*.go) | setup
	@cd dev && $(BUILD) -o ../$@ ./engine-ui

# What lints the API's description, and what makes a client in Go of it.
$(BIN)/vacuum: dev/clients/go.mod dev/clients/go.sum | setup
	cd dev/clients && $(BUILD) -o ../../$@ github.com/daveshanley/vacuum

$(BIN)/oapi-codegen: dev/clients/go.mod dev/clients/go.sum | setup
	cd dev/clients && $(BUILD) -o ../../$@ github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen

$(BIN)/staticcheck: Makefile | setup
	GOBIN="$(CURDIR)/$(BIN)" go install $(STATICCHECK)

$(BIN)/workflowcheck: Makefile | setup
	GOBIN="$(CURDIR)/$(BIN)" go install $(WORKFLOWCHECK)
