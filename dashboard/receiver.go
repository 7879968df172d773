package dashboard

import (
	"embed"
	"strings"
)

//go:embed receivers
var receiverFiles embed.FS

// receiver is a sample of a program that receives webhooks and checks their
// signatures, ready to run.
type receiver struct {
	Language string // as it calls itself
	File     string // to save it as
	Code     string
	Copy     string // the code as it is copied
}

// receiverSamples are those of each language, and how each asks for its secret.
var receiverSamples = []struct{ language, file, secret string }{
	{"Go", "receiver.go", `os.Getenv("EMISSOR_WEBHOOK_SECRET")`},
	{"Python", "receiver.py", `os.environ["EMISSOR_WEBHOOK_SECRET"]`},
	{"Node.js", "receiver.mjs", `process.env.EMISSOR_WEBHOOK_SECRET`},
	{"PHP", "receiver.php", `getenv('EMISSOR_WEBHOOK_SECRET')`},
}

// receivers are the samples. With a secret, which is shown on the same page, it is in
// what is copied; else they read it from the environment.
func receivers(secret string) (samples []receiver) {
	for _, one := range receiverSamples {
		content, err := receiverFiles.ReadFile("receivers/" + one.file + ".txt")
		if err != nil {
			panic(err) // it is embedded
		}
		sample := receiver{one.language, one.file, string(content), string(content)}
		if secret != "" {
			sample.Copy = strings.Replace(sample.Code, one.secret, `"`+secret+`"`, 1)
		}
		samples = append(samples, sample)
	}
	return samples
}

// receiverPage is the samples, for an endpoint whose secret is somewhere else.
type receiverPage struct{ Receivers []receiver }

func (d *Dashboard) showReceiver(r *request) error {
	return r.render("receiver", "receiving.title", receiverPage{receivers("")})
}
