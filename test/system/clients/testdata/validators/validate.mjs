// Reads schemas and values, and writes which of the values are valid by Ajv. Its argument is the folder of packages.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

const require = createRequire(process.argv[2] + '/')
const ajv = new (require('ajv').default)({ strict: false })
require('ajv-formats').default(ajv)

const asked = JSON.parse(readFileSync(0, 'utf8'))
const validators = {}
for (const name of Object.keys(asked.schemas)) {
  validators[name] = ajv.compile({ $ref: '#/components/schemas/' + name, components: { schemas: asked.schemas } })
}
process.stdout.write(JSON.stringify(asked.cases.map(({ schema, value }) => validators[schema](value))))
