#!/usr/bin/env node
// Starts Privet from its sources in the repository, and from its compiled modules in the package.
// Uses old syntax, so that an old Node can parse the file and print the message below.
'use strict';

var needed = 24;
var version = process.versions.node;

if (Number(version.split('.')[0]) < needed) {
  process.stderr.write('privet: Node ' + needed + ' or newer is needed; this is Node ' + version + '. ');
  process.stderr.write('Install a newer one, or run "npx -p node@' + needed + ' privet …".\n');
  process.exit(1);
}

var path = require('node:path');
var sources = path.join(__dirname, '../gateway/main.ts');
var program = require('node:fs').existsSync(sources) ? sources : path.join(__dirname, '../dist/gateway/main.js');
import(require('node:url').pathToFileURL(program).href);
