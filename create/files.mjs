import { productOf, slugOf } from './words.mjs'

/** @import { Words } from './answers.mjs' */

/**
 * Everything that a founder's folder begins with, by path.
 *
 * @param {Words} words
 * @param {string} version of opening-bell, exactly.
 * @param {string} logo an SVG.
 * @returns {Record<string, string>}
 */
export function filesOf(words, version, logo) {
  return {
    'product.config.ts': config(words),
    'brand/logo.svg': logo,
    'launch.md': letter(words),
    'package.json': packageJson(words, version),
    'README.md': readme(words),
    '.gitignore': IGNORED,
    '.npmrc': NPM,
  }
}

/** @param {Words} words */
function config(words) {
  const lines = Object.entries(productOf(words)).map(
    ([field, value]) => `  ${field}: ${literal(value)},`,
  )
  return `import type { Product } from 'opening-bell'

/** Your product. Change it, and \`npm start\` shows it: title, splash, icons, previews, everything. */
const product: Product = {
${lines.join('\n')}
  // accent: '#ff7a1a', // links, buttons in letters, focus; must be readable on the ground
  // look: { ground: '#fbf5ea' }, // the ground of page, icons and letters; black without it
  // scene: 'horizon', // or 'mark', 'none', or your own: splash and backdrop
  // links: { Privacy: 'https://example.com/privacy' }, // at the foot of the page
  // postalAddress: 'Your company, street, city', // at the foot of every letter
  // opensAt: { at: '2027-01-12T09:00', zone: 'Europe/Berlin' }, // a countdown
}

export default product
`
}

/** @param {string} text */
const literal = (text) => (/['\\]/.test(text) ? JSON.stringify(text) : `'${text}'`)

/** @param {Words} words */
const letter = ({ name }) => `---
subject: ${name} is open
preview: You asked to be told. Come in.
from: ${sender(name)} <hello@example.com>
---
# ${asMarkdown(name)} is open

You asked to be told when **${asMarkdown(name)}** opens. It does, today.

**[Come in](https://example.com)**
`

/** @param {string} name */
const sender = (name) =>
  /^[\p{L}\p{N} ]+$/u.test(name) ? name : `"${name.replace(/["\\]/g, '\\$&')}"`

/** @param {string} text */
const asMarkdown = (text) => text.replace(/[\\`*_[\]<>&#]/g, '\\$&')

/**
 * @param {Words} words
 * @param {string} version
 */
function packageJson({ name }, version) {
  const content = {
    name: slugOf(name),
    private: true,
    type: 'module',
    scripts: {
      start: 'exec opening-bell start',
      build: 'exec opening-bell build',
      'build:firebase': 'exec opening-bell build:firebase',
    },
    engines: { node: '>=20.19' },
    dependencies: { 'opening-bell': version },
  }
  return `${JSON.stringify(content, null, 2)}\n`
}

/** @param {Words} words */
const readme = ({ name }) => `# ${asMarkdown(name)}

The page of ${asMarkdown(name)} before it opens, made with Opening Bell.

\`\`\`sh
npm ci       # installs the version that package-lock.json names
npm start    # builds and serves: http://127.0.0.1:3000
\`\`\`

| here | |
| --- | --- |
| \`product.config.ts\` | name, pitch and the other words |
| \`brand/logo.svg\` | the logo, an SVG that can be seen on the page's ground |
| \`launch.md\` | the letter for the day of the opening |
| \`data/\` | the list and the keys, not in git: back it up |

The operator's tool is \`npx opening-bell --help\`. Its documents are in
\`node_modules/opening-bell/README.md\` and \`node_modules/opening-bell/docs\`; where they say
\`bin/opening-bell\`, it is \`npx opening-bell\` here.

A newer version:

\`\`\`sh
npm install opening-bell@latest
\`\`\`

changes only \`package.json\` and \`package-lock.json\`.
`

const IGNORED = `node_modules/
dist/
dist-firebase/
dist*.new/
.start-*
# The list, and the keys that open it.
data/
/data
/data[!a-zA-Z]*
.env*
*.key
service-account*.json
# What the operator's tool writes: lists, copies, previews. All of it holds addresses.
/*.csv
/*.ndjson
/to-*
/list*.json
*.sqlite*
*.age
/*.txt
/*.html
*.part
*.log
.DS_Store
`

const NPM = `# Nothing that is installed needs a script of its own to work.
ignore-scripts=true
# Exact versions, without ^ or ~.
save-exact=true
fund=false
`
