import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { operator } from '../../fixtures/operator.ts'
import { tempDir } from '../../fixtures/temp-dir.ts'

/** Two machines, of which the old one has a list, and a first copy of it in a folder that both see. */
export async function machines(env: Record<string, string> = {}) {
  const root = tempDir()
  for (const folder of ['old', 'new', 'copies']) mkdirSync(join(root, folder), { mode: 0o700 })
  writeFileSync(join(root, 'list.csv'), 'email\nada@example.com\ncharles@example.com\n')
  const common = { LINK_KEY: '', npm_lifecycle_event: '', NO_COLOR: '1' }
  const tool = (machine: string, args: string[], more: Record<string, string> = {}) => {
    const folders = { DATA_DIR: join(root, machine), BACKUP_TO: join(root, 'copies') }
    return operator(args, { cwd: root, env: { ...common, ...folders, ...more } })
  }
  await tool('old', ['import', 'list.csv'])
  await tool('old', ['unsubscribe', 'charles@example.com'])
  expect(await tool('old', ['backup'], env)).toMatchObject({ code: 0, stdout: '' })
  return { root, tool, copy: join('copies', readdirSync(join(root, 'copies'))[0] ?? '') }
}
