package main

import (
	"crypto/sha256"
	"debug/buildinfo"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/CycloneDX/cyclonedx-go"

	"emissor/dev/licences"
)

// writeBill writes what a binary is made of (SBOM, CycloneDX): the modules that it says itself are linked, with their
// licences, and Go.
func (s source) writeBill(file, binary string, modules []licences.Module) error {
	content, err := os.ReadFile(binary)
	if err != nil {
		return err
	}
	info, err := buildinfo.ReadFile(binary)
	if err != nil {
		return err
	}
	names := map[string]string{}
	for _, m := range modules {
		names[m.Path+"@"+m.Version] = m.Names
	}
	components := []cyclonedx.Component{
		library("std", strings.TrimPrefix(info.GoVersion, "go"), "BSD"), // the name of scanners for Go itself
	}
	for _, module := range info.Deps {
		if module.Replace != nil {
			return fmt.Errorf("%s is replaced, and nobody could get it by its name", module.Path)
		}
		names, known := names[module.Path+"@"+module.Version]
		if !known {
			return fmt.Errorf("%s %s is linked and has no licence on record", module.Path, module.Version)
		}
		components = append(components, library(module.Path, module.Version, names))
	}
	bill := cyclonedx.NewBOM()
	bill.Metadata = &cyclonedx.Metadata{
		Timestamp: s.committed.Format(time.RFC3339),
		Component: &cyclonedx.Component{
			BOMRef: "emissor", Type: cyclonedx.ComponentTypeApplication, Name: "emissor", Version: s.version,
			Licenses: &cyclonedx.Licenses{{License: &cyclonedx.License{ID: "Apache-2.0"}}},
			Hashes: &[]cyclonedx.Hash{
				{Algorithm: cyclonedx.HashAlgoSHA256, Value: fmt.Sprintf("%x", sha256.Sum256(content))},
			},
			Properties: &[]cyclonedx.Property{{Name: "emissor:commit", Value: s.commit}},
		},
	}
	bill.Components = &components
	var text strings.Builder
	encoder := cyclonedx.NewBOMEncoder(&text, cyclonedx.BOMFileFormatJSON).SetPretty(true)
	if err := encoder.EncodeVersion(bill, cyclonedx.SpecVersion1_6); err != nil { // newer ones are read by few
		return err
	}
	return os.WriteFile(file, []byte(text.String()), 0o644)
}

func library(path, version, names string) cyclonedx.Component {
	address := "pkg:golang/" + path + "@" + version
	return cyclonedx.Component{
		BOMRef: address, Type: cyclonedx.ComponentTypeLibrary, Name: path, Version: version, PackageURL: address,
		Licenses: &cyclonedx.Licenses{{License: &cyclonedx.License{Name: names}}},
	}
}
