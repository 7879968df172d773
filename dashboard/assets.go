package dashboard

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"net/http"
	"time"

	"emissor/dashboard/frame"
)

//go:embed assets
var assetFiles embed.FS

// assetURL is the address of a file, which changes with its content, so that browsers
// may keep it for ever.
func assetURL(name string) (string, error) {
	content, err := assetFiles.ReadFile("assets/" + name)
	hash := sha256.Sum256(content)
	return "/assets/" + name + "?v=" + hex.EncodeToString(hash[:8]), err
}

// asset serves the stylesheet and the script.
func asset(r *frame.Request) error {
	name := r.PathValue("file")
	content, err := assetFiles.ReadFile("assets/" + name)
	if err != nil {
		return frame.Problem{Status: http.StatusNotFound, Key: "problem.not_found"}
	}
	r.W.Header().Set("Cache-Control", "public, max-age=31536000, immutable")
	http.ServeContent(r.W, r.Request, name, time.Time{}, bytes.NewReader(content))
	return nil
}
