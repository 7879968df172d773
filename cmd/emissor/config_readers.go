package main

import "strings"

// The kinds of processes, as containers run them: `emissor serve` is api and
// worker, and every command of the operator is one of the commands.
const (
	readerAPI      = "api"
	readerWorker   = "worker"
	readerMigrate  = "migrate"
	readerCommands = "commands"
)

// readers tells which processes read a variable: the longest name here that it
// begins with decides. `emissor config` lists it, and a test compares it with
// what docker-compose.yml gives to each service.
var readers = map[string][]string{
	"EMISSOR_DATABASE_":      {readerAPI, readerWorker, readerMigrate, readerCommands},
	"EMISSOR_DATABASE_ROLE_": {readerMigrate},
	"EMISSOR_LOG_LEVEL":      {readerAPI, readerWorker, readerMigrate},
	"EMISSOR_ADMIN_LISTEN":   {readerAPI, readerWorker},

	"EMISSOR_DRAIN_DELAY":       {readerAPI},
	"EMISSOR_LISTEN":            {readerAPI},
	"EMISSOR_CONNECTIONS":       {readerAPI},
	"EMISSOR_RATE_LIMIT":        {readerAPI},
	"EMISSOR_FAILED_AUTH_LIMIT": {readerAPI},
	"EMISSOR_TRUSTED_PROXIES":   {readerAPI},

	"EMISSOR_VIACEP_URL":    {readerAPI, readerWorker},
	"EMISSOR_BRASILAPI_URL": {readerAPI, readerWorker},
	"EMISSOR_ZIP_CODE_RATE": {readerAPI, readerWorker},

	"EMISSOR_TASK_QUEUE":             {readerWorker},
	"EMISSOR_SLOW_SCENARIO":          {readerWorker},
	"EMISSOR_ENGINE_LATENCY":         {readerWorker},
	"EMISSOR_WEBHOOK_":               {readerWorker},
	"EMISSOR_WEBHOOK_PORTS":          {readerWorker, readerCommands},
	"EMISSOR_WEBHOOK_PROXY":          {readerWorker, readerCommands},
	"EMISSOR_WEBHOOK_ALLOW_LOOPBACK": {readerWorker, readerCommands},
	"EMISSOR_KEYSET":                 {readerWorker, readerCommands},
	"EMISSOR_KEYSET_INTERVAL":        {readerWorker},
	"EMISSOR_KEEP_":                  {readerWorker},
	"EMISSOR_NATIONAL_":              {readerWorker},
	"EMISSOR_SMTP_":                  {readerWorker},
	"EMISSOR_OPERATOR":               {readerCommands},
	"EMISSOR_CERTIFICATE_ROOTS":      {readerCommands},
	"EMISSOR_DANFSE_LOGO":            {readerWorker, readerCommands},
	"EMISSOR_EMAIL_DANFSE":           {readerWorker},

	"TEMPORAL_":          {readerWorker, readerMigrate},
	"TEMPORAL_NAMESPACE": {readerWorker, readerMigrate, readerCommands},
	"TEMPORAL_UI_URL":    {readerCommands},
}

// readersOf returns the processes that read a variable.
func readersOf(variable string) []string {
	var found string
	for name := range readers {
		if strings.HasPrefix(variable, name) && len(name) > len(found) {
			found = name
		}
	}
	return readers[found]
}
