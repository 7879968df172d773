package licences

import "testing"

func TestLicences_Name(t *testing.T) {
	for text, expected := range map[string]struct {
		names string
		ok    bool
	}{
		"Apache License\n   Version 2.0, January 2004":                                     {"Apache-2.0", true},
		"Permission is hereby granted, free of charge, to any\nperson obtaining a copy of": {"MIT", true},
		"Redistribution and use in source and binary forms, with or without":               {"BSD", true},
		"GNU GENERAL PUBLIC LICENSE Version 3":                                             {"GPL", false},
		"GNU LESSER GENERAL PUBLIC LICENSE":                                                {"LGPL", false},
		"Mozilla Public License Version 1.1":                                               {"unknown", false},
		"Mozilla Public License, version 2.0\n1.12. \"Secondary License\"\nmeans either the GNU General Public License, " +
			"Version 2.0, or any later\nversions of those licenses.": {"MPL-2.0", true},
		"Apache License Version 2.0 ... GNU Affero General Public License": {"AGPL, Apache-2.0", false},
		"All rights reserved.": {"unknown", false},
		"":                     {"unknown", false},
	} {
		if names, ok := name(text); names != expected.names || ok != expected.ok {
			t.Errorf("%q is %s, %v", text, names, ok)
		}
	}
}
