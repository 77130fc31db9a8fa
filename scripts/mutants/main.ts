/** `npm run mutants`: makes small mistakes in the code, one at a time, and lists what no test noticed. */
import { spawnSync } from 'node:child_process'
import { globSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { parseArgs } from 'node:util'
import { oneAtATime } from '../bootstrap/one-at-a-time.mjs'
import { ensurePackages } from '../bootstrap/packages.mjs'
import { mutantsReport } from './report.ts'
import { type Room, rooms } from './rooms.ts'

const folder = import.meta.dirname
const stryker = join(folder, 'node_modules/@stryker-mutator/core/bin/stryker.js')
const config = join(folder, 'stryker.config.mjs')

function readOptions() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      only: { type: 'string' },
      tests: { type: 'string' },
      every: { type: 'string', default: '1' },
      seed: { type: 'string', default: '1' },
    },
  })
  const [every, seed] = [Number(values.every), Number(values.seed)]
  const wrong = positionals.find((name) => !(name in rooms))
  if (wrong !== undefined) throw new Error(`There is no room "${wrong}".`)
  if (!(Number.isInteger(every) && every > 0 && Number.isInteger(seed)))
    throw new Error('--every and --seed take whole numbers.')
  return {
    ...values,
    every,
    seed,
    chosen: positionals.length > 0 ? positionals : Object.keys(rooms),
  }
}

function explained(): ReturnType<typeof readOptions> {
  try {
    return readOptions()
  } catch (error) {
    console.error(`${(error as Error).message}
Usage: npm run mutants -- [OPTION …] [ROOM …]
  --only   mistakes in these files alone, such as "mailer,smtp-mailer"
  --tests  these test files alone, which is quicker, such as "tests/mail/*.test.ts"
  --every  one mistake of so many, drawn by chance; --seed draws others
Rooms: ${Object.keys(rooms).join(', ')}`)
    process.exit(2)
  }
}

const { every, seed, chosen, ...values } = explained()
const only = new Set(values.only?.split(','))

/** @returns the files of a room that are to be changed, of those that `--only` names. */
function filesOf({ mutate }: Room): string[] {
  const exclude = mutate.filter((glob) => glob.startsWith('!')).map((glob) => glob.slice(1))
  return globSync(
    mutate.filter((glob) => !glob.startsWith('!')),
    { exclude },
  ).filter((file) => only.size === 0 || only.has(basename(file, '.ts')))
}

await oneAtATime(
  folder,
  () => console.error('Waiting for another run …'),
  () => ensurePackages(folder, { withTestTools: true }, { title: 'Installing Stryker' }),
)
for (const name of chosen) {
  const files = filesOf(rooms[name] as Room)
  if (files.length === 0) console.error(`${name} has no file that is called ${values.only}.`)
  if (files.length === 0) continue
  const report = `.mutants/${name}.json`
  rmSync(report, { force: true })
  const tests = values.tests !== undefined && { MUTANTS_TESTS: values.tests }
  const sample = every > 1 && { MUTANTS_EVERY: String(every), MUTANTS_SEED: String(seed) }
  const { status } = spawnSync(process.execPath, [stryker, 'run', config], {
    stdio: ['ignore', 2, 2],
    env: { ...process.env, MUTANTS_ROOM: name, MUTANTS_FILES: files.join(), ...tests, ...sample },
  })
  if (status !== 0) {
    console.error(`Stryker could not finish ${name}.`)
    process.exit(1)
  }
  console.log(`\n${mutantsReport(report)}`)
  if (sample) console.log(`\nA sample: one of ${every} mistakes, drawn with --seed ${seed}.`)
}
