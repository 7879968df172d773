package main

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"reflect"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/kelseyhightower/envconfig"
	"github.com/spf13/cobra"
)

// The kinds of processes that read settings, as containers run them: `emissor serve` is
// api, worker and dashboard, and every command of the operator is one of the commands.
const (
	readerAPI       = "api"
	readerWorker    = "worker"
	readerDashboard = "dashboard"
	readerMigrate   = "migrate"
	readerCommands  = "commands"
)

// setting is what the config declares of an environment variable.
type setting struct {
	subject  string
	name     string
	fallback string   // its default; empty: none
	required bool     // it has to be set
	readers  []string // the kinds of processes that read it
	meaning  string
	expert   bool // most operators never turn it
}

// declaredSettings returns every setting, in the order of its declaration.
func declaredSettings() (all []setting) {
	for subject := range reflect.TypeFor[config]().Fields() {
		for field := range subject.Type.Fields() {
			all = append(all, setting{
				subject: subject.Tag.Get("subject"), name: field.Tag.Get("envconfig"),
				fallback: field.Tag.Get("default"), required: field.Tag.Get("required") == "true",
				readers: strings.Fields(field.Tag.Get("readers")), meaning: field.Tag.Get("desc"),
				expert: field.Tag.Get("expert") == "true",
			})
		}
	}
	return all
}

// otherwise describes what is used where a setting is not set.
func (s setting) otherwise() string {
	if s.required {
		return "required"
	}
	return cmp.Or(s.fallback, "-")
}

// forgetEmptyVariables makes an empty variable count as one that is not set, so
// that a file of settings may name what it leaves to its default.
func forgetEmptyVariables() {
	for _, setting := range declaredSettings() {
		if os.Getenv(setting.name) == "" {
			_ = os.Unsetenv(setting.name)
		}
	}
}

// describe says which variable is wrong without repeating its value, which may
// be a secret.
func describe(err error) error {
	var parse *envconfig.ParseError
	if !errors.As(err, &parse) {
		return err
	}
	kind := parse.TypeName[strings.LastIndex(parse.TypeName, ".")+1:]
	for _, setting := range declaredSettings() {
		if setting.name == parse.KeyName {
			return fmt.Errorf("the environment variable %s is not a valid %s. %s", setting.name, kind, setting.meaning)
		}
	}
	return fmt.Errorf("the environment variable %s is not a valid %s", parse.KeyName, kind)
}

// printedSetting is a setting as `emissor config` prints it.
type printedSetting struct {
	Name     string   `json:"name"`
	Readers  []string `json:"readers"` // the kinds of processes that read it
	Default  string   `json:"default"` // empty: none
	Required bool     `json:"required"`
	Meaning  string   `json:"meaning"`
	Expert   bool     `json:"expert"` // most operators never turn it
}

func configCommand() *cobra.Command {
	command := newCommand("config", "List every environment variable: who reads it, its default and its meaning",
		"emissor config", cobra.NoArgs)
	asJSON := jsonFlag(command)
	command.RunE = func(command *cobra.Command, _ []string) error {
		if *asJSON {
			return printJSON(command.OutOrStdout(), mapped(allSettings(), func(s setting) printedSetting {
				return printedSetting{s.name, s.readers, s.fallback, s.required, s.meaning, s.expert}
			}))
		}
		lines := tabwriter.NewWriter(command.OutOrStdout(), 0, 4, 2, ' ', 0)
		fmt.Fprintln(lines, "VARIABLE\tREAD BY\tDEFAULT\tMEANING")
		all := allSettings()
		for i, setting := range all {
			if setting.expert && !all[i-1].expert {
				fmt.Fprintln(lines, "FOR EXPERTS\tREAD BY\tDEFAULT\tMEANING")
			}
			fmt.Fprintf(lines, "%s\t%s\t%s\t%s\n", setting.name, strings.Join(setting.readers, " "),
				setting.otherwise(), setting.meaning)
		}
		return lines.Flush()
	}
	return command
}

// allSettings are those of the service, those of the commands of callers, and those for experts.
func allSettings() []setting {
	all := append(declaredSettings(), callerSettings()...)
	return append(slices.DeleteFunc(slices.Clone(all), func(s setting) bool { return s.expert }),
		slices.DeleteFunc(all, func(s setting) bool { return !s.expert })...)
}
