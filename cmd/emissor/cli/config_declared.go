package cli

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
	ReaderAPI       = "api"
	ReaderWorker    = "worker"
	ReaderDashboard = "dashboard"
	ReaderMigrate   = "migrate"
	ReaderCommands  = "commands"
)

// Setting is what the config declares of an environment variable.
type Setting struct {
	Subject  string
	Name     string
	Fallback string   // its default; empty: none
	Required bool     // it has to be set
	Readers  []string // the kinds of processes that read it
	Meaning  string
	Expert   bool // most operators never turn it
}

// DeclaredSettings returns every setting, in the order of its declaration.
func DeclaredSettings() (all []Setting) {
	for subject := range reflect.TypeFor[Config]().Fields() {
		for field := range subject.Type.Fields() {
			all = append(all, Setting{
				Subject: subject.Tag.Get("subject"), Name: field.Tag.Get("envconfig"),
				Fallback: field.Tag.Get("default"), Required: field.Tag.Get("required") == "true",
				Readers: strings.Fields(field.Tag.Get("readers")), Meaning: field.Tag.Get("desc"),
				Expert: field.Tag.Get("expert") == "true",
			})
		}
	}
	return all
}

// Otherwise describes what is used where a setting is not set.
func (s Setting) Otherwise() string {
	if s.Required {
		return "required"
	}
	return cmp.Or(s.Fallback, "-")
}

// ForgetEmptyVariables makes an empty variable count as one that is not set, so
// that a file of settings may name what it leaves to its default.
func ForgetEmptyVariables() {
	for _, setting := range DeclaredSettings() {
		if os.Getenv(setting.Name) == "" {
			_ = os.Unsetenv(setting.Name)
		}
	}
}

// Describe says which variable is wrong without repeating its value, which may
// be a secret.
func Describe(err error) error {
	var parse *envconfig.ParseError
	if !errors.As(err, &parse) {
		return err
	}
	kind := parse.TypeName[strings.LastIndex(parse.TypeName, ".")+1:]
	if strings.HasPrefix(parse.TypeName, "cli.") {
		kind = strings.ToLower(kind[:1]) + kind[1:] // whether it is exported is nothing to people
	}
	for _, setting := range DeclaredSettings() {
		if setting.Name == parse.KeyName {
			return fmt.Errorf("the environment variable %s is not a valid %s. %s", setting.Name, kind, setting.Meaning)
		}
	}
	return fmt.Errorf("the environment variable %s is not a valid %s", parse.KeyName, kind)
}

// PrintedSetting is a setting as `emissor config` prints it.
type PrintedSetting struct {
	Name     string   `json:"name"`
	Readers  []string `json:"readers"` // the kinds of processes that read it
	Default  string   `json:"default"` // empty: none
	Required bool     `json:"required"`
	Meaning  string   `json:"meaning"`
	Expert   bool     `json:"expert"` // most operators never turn it
}

func ConfigCommand() *cobra.Command {
	command := NewCommand("config", "List every environment variable: who reads it, its default and its meaning",
		"emissor config", cobra.NoArgs)
	asJSON := JSONFlag(command)
	command.RunE = func(command *cobra.Command, _ []string) error {
		if *asJSON {
			return PrintJSON(command.OutOrStdout(), Mapped(AllSettings(), func(s Setting) PrintedSetting {
				return PrintedSetting{s.Name, s.Readers, s.Fallback, s.Required, s.Meaning, s.Expert}
			}))
		}
		lines := tabwriter.NewWriter(command.OutOrStdout(), 0, 4, 2, ' ', 0)
		fmt.Fprintln(lines, "VARIABLE\tREAD BY\tDEFAULT\tMEANING")
		all := AllSettings()
		for i, setting := range all {
			if setting.Expert && !all[i-1].Expert {
				fmt.Fprintln(lines, "FOR EXPERTS\tREAD BY\tDEFAULT\tMEANING")
			}
			fmt.Fprintf(lines, "%s\t%s\t%s\t%s\n", setting.Name, strings.Join(setting.Readers, " "),
				setting.Otherwise(), setting.Meaning)
		}
		return lines.Flush()
	}
	return command
}

// AllSettings are the settings of the service and of the commands of callers, with those for experts at the end.
func AllSettings() []Setting {
	all := append(DeclaredSettings(), CallerSettings()...)
	return append(slices.DeleteFunc(slices.Clone(all), func(s Setting) bool { return s.Expert }),
		slices.DeleteFunc(all, func(s Setting) bool { return !s.Expert })...)
}
