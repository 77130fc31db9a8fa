/** `npm run mutants -- FOLDER …`: makes small mistakes in a folder of `src`, and lists what its tests miss. */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { oneAtATime } from '../bootstrap/one-at-a-time.mjs'
import { ensurePackages } from '../bootstrap/packages.mjs'

const folder = import.meta.dirname
const [named = '', ...options] = process.argv.slice(2)
if (!existsSync(join('src', named)) || !existsSync(join('tests', named)) || !named) {
  console.error('Name a folder of src that has tests, such as: npm run mutants -- mail/letter')
  process.exit(2)
}
await oneAtATime(folder, () => ensurePackages(folder, 'Stryker', true))
const stryker = join(folder, 'node_modules/@stryker-mutator/core/bin/stryker.js')
const mutate = ['--mutate', `src/${named}/**/*.ts`]
const run = [stryker, 'run', join(folder, 'stryker.config.mjs'), ...mutate, ...options]
const env = { ...process.env, MUTANTS_FOLDER: named }
process.exitCode = spawnSync(process.execPath, run, { stdio: 'inherit', env }).status ?? 1
