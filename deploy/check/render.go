// Renders the chart as Helm does, with the same template language and functions, where no helm is installed.
// Usage: render CHART_DIR VALUES_JSON; writes the documents to standard output, NOTES.txt to standard error.
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"text/template"

	"github.com/Masterminds/sprig"
	"gopkg.in/yaml.v3"
)

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func merge(base, over map[string]interface{}) {
	for key, value := range over {
		inner, isMap := value.(map[string]interface{})
		old, wasMap := base[key].(map[string]interface{})
		if isMap && wasMap {
			merge(old, inner)
		} else {
			base[key] = value
		}
	}
}

func main() {
	chart := os.Args[1]
	var meta map[string]interface{}
	raw, err := os.ReadFile(filepath.Join(chart, "Chart.yaml"))
	check(err)
	check(yaml.Unmarshal(raw, &meta))
	values := map[string]interface{}{}
	raw, err = os.ReadFile(filepath.Join(chart, "values.yaml"))
	check(err)
	check(yaml.Unmarshal(raw, &values))
	over := map[string]interface{}{}
	check(json.Unmarshal([]byte(os.Args[2]), &over))
	merge(values, over)

	root := template.New("chart").Option("missingkey=error")
	functions := sprig.TxtFuncMap()
	functions["include"] = func(name string, data interface{}) (string, error) {
		var out bytes.Buffer
		err := root.ExecuteTemplate(&out, name, data)
		return out.String(), err
	}
	functions["toYaml"] = func(value interface{}) (string, error) {
		var out bytes.Buffer
		encoder := yaml.NewEncoder(&out)
		encoder.SetIndent(2)
		err := encoder.Encode(value)
		return strings.TrimSuffix(out.String(), "\n"), err
	}
	functions["required"] = func(message string, value interface{}) (interface{}, error) {
		if value == nil || value == "" {
			return nil, fmt.Errorf("%s", message)
		}
		return value, nil
	}
	root.Funcs(functions)
	files, err := filepath.Glob(filepath.Join(chart, "templates", "*"))
	check(err)
	for _, file := range files {
		text, err := os.ReadFile(file)
		check(err)
		_, err = root.New(filepath.Base(file)).Parse(string(text))
		check(err)
	}
	release := os.Getenv("RELEASE")
	if release == "" {
		release = "edge"
	}
	data := map[string]interface{}{
		"Values":  values,
		"Chart":   map[string]interface{}{"Name": meta["name"], "Version": meta["version"], "AppVersion": meta["appVersion"]},
		"Release": map[string]interface{}{"Name": release, "Namespace": "gateways", "Service": "Helm"},
	}
	for _, file := range files {
		name := filepath.Base(file)
		if strings.HasPrefix(name, "_") {
			continue
		}
		var out bytes.Buffer
		check(root.ExecuteTemplate(&out, name, data))
		if name == "NOTES.txt" {
			fmt.Fprintln(os.Stderr, out.String())
		} else {
			fmt.Printf("---\n# %s\n%s\n", name, out.String())
		}
	}
}
