/** `npm run reference`: writes the tables of docs/commands.md and docs/settings.md from the code. */
import { readFileSync, writeFileSync } from 'node:fs'
import { commands } from '../src/cli/commands.ts'
import { settings } from '../src/config/settings.ts'
import type { Setting } from '../src/shared/setting.ts'

type Rows = readonly (readonly string[])[]

/** The rows of each table, by the heading of its section. */
export function commandTables(): ReadonlyMap<string, Rows> {
  const groups = Map.groupBy(commands, ({ group }) => group)
  const rowsOf = ([group, some]: [string, typeof commands]): [string, Rows] => [
    group,
    some.map(({ name, help }) => [`\`${name}\``, help]),
  ]
  return new Map([...groups].map(rowsOf))
}

/** The same of the settings. */
export function settingTables(): ReadonlyMap<string, Rows> {
  const sections = Map.groupBy(Object.entries(settings), ([, { section }]) => section)
  const rowOf = ([name, { default: byDefault, otherwise = '', what }]: [string, Setting]) => [
    `\`${name}\``,
    byDefault === undefined ? otherwise : `\`${byDefault}\``,
    what,
  ]
  return new Map([...sections].map(([section, rows]) => [section, rows.map(rowOf)]))
}

/** A document with these rows in the first table beneath each heading; all else stays. */
export function withTables(text: string, tables: ReadonlyMap<string, Rows>): string {
  const parts = text.split(/^(?=## )/m)
  return parts
    .map((part) => {
      const rows = tables.get(/^## (.*)$/m.exec(part)?.[1] ?? '')
      if (!rows) return part
      const lines = rows.map((cells) => `| ${cells.join(' | ')} |\n`.replace('|  |', '| |'))
      return part.replace(/(^\| -.*\n)(?:\|.*\n?)*/m, (_, head: string) => head + lines.join(''))
    })
    .join('')
}

export const references: readonly [path: string, tables: () => ReadonlyMap<string, Rows>][] = [
  ['docs/commands.md', commandTables],
  ['docs/settings.md', settingTables],
]

if (process.argv[1] === import.meta.filename)
  for (const [path, tables] of references)
    writeFileSync(path, withTables(readFileSync(path, 'utf8'), tables()))
