import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

const root = join(import.meta.dirname, '..')

const files = globSync('src/**/*.{ts,tsx,mjs}', {
  cwd: root,
  exclude: ['src/**/node_modules/**'],
}).map((path) => ({ path, code: withoutComments(readFileSync(join(root, path), 'utf8')) }))

function withoutComments(code: string): string {
  return code.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|\s)\/\/ .*$/gm, '')
}

/** What a file may say: its strings, and what stands between the tags of a page. */
const saidBy = ({ code }: { code: string }) =>
  (code.match(/'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`|>[^<>{}]+</g) ?? []).join('\n')

const said = files.map((file) => ({ path: file.path, text: saidBy(file) }))

const REGEX = /(?<=[(=,:!&|?;]\s*)\/(?![*/])(?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[dgimsuvy]*/g
const SEARCH = /\.(?:includes|startsWith|endsWith|match|search|indexOf|replace)\(\s*'([^'\n]*)'/g
/** Words of a sentence, or an option of a command. */
const PROSE = /[A-Za-z][a-z’']+,?(?: [A-Za-z][a-z’']+)+|--[a-z]{2,}[a-z-]*/g

/** The words by which a file looks for a sentence. */
function lookedFor(code: string): string[] {
  const patterns = [
    ...(code.match(REGEX) ?? []),
    ...[...code.matchAll(SEARCH)].map(([, text = '']) => text),
  ].map((pattern) => pattern.replace(/<\w+ \w+/g, ''))
  return patterns.flatMap((pattern) => pattern.match(PROSE) ?? [])
}

/** @returns which file looks for which words that another file says. */
function readLips(path: string, code: string): string[] {
  return lookedFor(code).flatMap((words) =>
    said
      .filter((other) => other.path !== path && other.text.includes(words))
      .map((other) => `${path} looks for "${words}", which ${other.path} says`),
  )
}

const mayLook = [
  // The command in a notice is data, and may be of an older version.
  'src/notices/words.ts',
  // A slot in a letter, which the founder writes.
  'src/mail/letter/first-name.ts',
]

describe('what one part of the house says', () => {
  it('is looked for by no other: they tell each other codes', () => {
    const found = files.flatMap(({ path, code }) => readLips(path, code))
    expect(found.filter((one) => !mayLook.some((path) => one.startsWith(path)))).toEqual([])
  })
})

/** Rooms that know no terminal: what they find is a code, and the desk names its own fields. */
const BELOW = /^src\/(announcement|audience|desk|opening|outbox|sign-up|site|store|tables|upkeep)\//
const LITERAL = /'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`|[}>][^<>{}]+(?=<)/g
/** An option amid other words, the command, or what calls it. */
const OF_A_TERMINAL = /[^\s'`].*\s["“(]?--[a-z]{2,}|\b(?:the|this) command\b|commandLine\(/i

/** What a room says of a terminal that it should not know. */
const saidOfATerminal = (code: string) =>
  [...(code.match(LITERAL) ?? []), ...(code.match(/commandLine\(/g) ?? [])].filter((text) =>
    OF_A_TERMINAL.test(text),
  )

const maySay = [
  // Files of systemd.
  'src/upkeep/install/service-files.ts',
  // A line for npm.
  'src/store/open-store.ts',
]

describe('what the rooms below the terminal and the desk say', () => {
  it('names no option and no command of the terminal', () => {
    const below = files.filter(({ path }) => BELOW.test(path) && !maySay.includes(path))
    const found = below.flatMap(({ path, code }) =>
      saidOfATerminal(code).map((text) => `${path} says ${text}`),
    )
    expect(below.length).toBeGreaterThan(250)
    expect(found).toEqual([])
  })
})

describe('what the house says of people', () => {
  it('names them: a visitor, a subscriber, the operator, a caller, and no "whoever"', () => {
    const paths = globSync('{src,bin,create,scripts,bench}/**/*.{ts,tsx,mjs,css}', {
      cwd: root,
      exclude: ['**/node_modules/**'],
    })
    const unnamed = paths.flatMap((path) =>
      readFileSync(join(root, path), 'utf8')
        .split('\n')
        .flatMap((line, at) =>
          /\bwhoever\b/i.test(line) ? `${path}:${at + 1} ${line.trim()}` : [],
        ),
    )
    expect(paths.length).toBeGreaterThan(500)
    expect(unnamed).toEqual([])
  })
})
