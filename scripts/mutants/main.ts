/** `npm run mutants`: makes small mistakes in the code, one at a time, and lists what no test noticed. */
import { spawnSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { oneAtATime } from '../bootstrap/one-at-a-time.mjs'
import { ensurePackages } from '../bootstrap/packages.mjs'
import { mutantsReport } from './report.ts'
import { rooms } from './rooms.ts'

const folder = import.meta.dirname
const stryker = join(folder, 'node_modules/@stryker-mutator/core/bin/stryker.js')
const config = join(folder, 'stryker.config.mjs')

const chosen = process.argv.slice(2)
if (chosen.some((name) => !(name in rooms))) {
  console.error('Usage: npm run mutants -- [ROOM …]')
  console.error(`Rooms: ${Object.keys(rooms).join(', ')}`)
  process.exit(2)
}

await oneAtATime(
  folder,
  () => console.error('Waiting for another run …'),
  () => ensurePackages(folder, { withTestTools: true }, { title: 'Installing Stryker' }),
)
for (const room of chosen.length > 0 ? chosen : Object.keys(rooms)) {
  const report = `.mutants/${room}.json`
  rmSync(report, { force: true })
  const { status } = spawnSync(process.execPath, [stryker, 'run', config], {
    stdio: ['ignore', 2, 2],
    env: { ...process.env, MUTANTS_ROOM: room },
  })
  if (status !== 0) {
    console.error(`Stryker could not finish ${room}.`)
    process.exit(1)
  }
  console.log(`\n${mutantsReport(report)}`)
}
