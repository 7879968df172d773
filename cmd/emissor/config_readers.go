package main

import "strings"

// The kinds of processes, as containers run them: `emissor serve` is api, worker
// and dashboard, and every command of the operator is one of the commands.
const (
	readerAPI       = "api"
	readerWorker    = "worker"
	readerDashboard = "dashboard"
	readerMigrate   = "migrate"
	readerCommands  = "commands"
)

// readers tells which processes read a variable: the longest name here that it
// begins with decides. `emissor config` lists it, and a test compares it with
// what docker-compose.yml gives to each service.
var readers = map[string][]string{
	"EMISSOR_DATABASE_":      {readerAPI, readerWorker, readerDashboard, readerMigrate, readerCommands},
	"EMISSOR_DATABASE_ROLE_": {readerMigrate},
	"EMISSOR_LOG_LEVEL":      {readerAPI, readerWorker, readerDashboard, readerMigrate},
	"EMISSOR_ADMIN_LISTEN":   {readerAPI, readerWorker, readerDashboard},

	"EMISSOR_DRAIN_DELAY":       {readerAPI, readerDashboard},
	"EMISSOR_LISTEN":            {readerAPI},
	"EMISSOR_CONNECTIONS":       {readerAPI, readerDashboard},
	"EMISSOR_RATE_LIMIT":        {readerAPI},
	"EMISSOR_FAILED_AUTH_LIMIT": {readerAPI},
	"EMISSOR_TRUSTED_PROXIES":   {readerAPI, readerDashboard},

	"EMISSOR_ORGANIZATION_RATE_LIMIT":    {readerAPI},
	"EMISSOR_ORGANIZATION_KEYS":          {readerDashboard, readerCommands},
	"EMISSOR_ORGANIZATION_ENDPOINTS":     {readerDashboard, readerCommands},
	"EMISSOR_ORGANIZATION_DELIVERY_RATE": {readerWorker},
	"EMISSOR_ORGANIZATION_EMAIL_RATE":    {readerWorker},

	"EMISSOR_DASHBOARD_":    {readerDashboard},
	"EMISSOR_DASHBOARD_URL": {readerDashboard, readerCommands},

	"EMISSOR_VIACEP_URL":    {readerAPI, readerWorker, readerDashboard},
	"EMISSOR_BRASILAPI_URL": {readerAPI, readerWorker, readerDashboard},
	"EMISSOR_ZIP_CODE_RATE": {readerAPI, readerWorker, readerDashboard},

	"EMISSOR_TASK_QUEUE":                {readerWorker},
	"EMISSOR_SLOW_SCENARIO":             {readerWorker},
	"EMISSOR_ENGINE_LATENCY":            {readerWorker},
	"EMISSOR_WEBHOOK_":                  {readerWorker},
	"EMISSOR_WEBHOOK_PORTS":             {readerWorker, readerDashboard, readerCommands},
	"EMISSOR_WEBHOOK_PROXY":             {readerWorker, readerDashboard, readerCommands},
	"EMISSOR_WEBHOOK_ALLOW_LOOPBACK":    {readerWorker, readerDashboard, readerCommands},
	"EMISSOR_KEYSET":                    {readerWorker, readerDashboard, readerCommands},
	"EMISSOR_KEYSET_INTERVAL":           {readerWorker, readerDashboard},
	"EMISSOR_KEEP_":                     {readerWorker},
	"EMISSOR_NATIONAL_":                 {readerWorker},
	"EMISSOR_SAO_PAULO_":                {readerWorker},
	"EMISSOR_SAO_PAULO_URL":             {readerWorker, readerCommands},
	"EMISSOR_SAO_PAULO_SOAP":            {readerWorker, readerCommands},
	"EMISSOR_SAO_PAULO_PLACE":           {readerWorker, readerCommands},
	"EMISSOR_SAO_PAULO_SERVER_CA":       {readerWorker, readerCommands},
	"EMISSOR_SAO_PAULO_CONNECT_TIMEOUT": {readerWorker, readerCommands},
	"EMISSOR_SAO_PAULO_TIMEOUT":         {readerWorker, readerCommands},
	"EMISSOR_SAO_PAULO_TLS_":            {readerWorker, readerCommands},
	"EMISSOR_SMTP_":                     {readerWorker, readerDashboard, readerCommands},
	"EMISSOR_OPERATOR":                  {readerCommands},
	"EMISSOR_CERTIFICATE_ROOTS":         {readerDashboard, readerCommands},
	"EMISSOR_DANFSE_LOGO":               {readerWorker, readerDashboard, readerCommands},
	"EMISSOR_UNCATALOGUED_RETRY":        {readerWorker},
	"EMISSOR_EMAIL_DANFSE":              {readerWorker},

	"TEMPORAL_":          {readerWorker, readerMigrate},
	"TEMPORAL_NAMESPACE": {readerWorker, readerDashboard, readerMigrate, readerCommands},
	"TEMPORAL_UI_URL":    {readerDashboard, readerCommands},
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
