/** `npm run bench`: measures everything that has a budget, and prints one table. */
import { loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import { killAll } from '../scripts/program.ts'
import { dateAndMachine } from '../scripts/report.ts'
import { measureAnnouncements } from './announcements/announcements.ts'
import { measureMillion } from './million.ts'
import { measureBytes } from './page/bytes.ts'
import { measurePageRequests } from './page-requests/page-requests.ts'
import { type Findings, type Row, table, verdict } from './report.ts'
import { measureBurst } from './sign-ups/burst.ts'
import { measureSignUps } from './sign-ups/sign-ups.ts'

const known = {
  help: { type: 'boolean', short: 'h', default: false },
  json: { type: 'boolean', default: false },
  rounds: { type: 'string', default: '5' },
  people: { type: 'string', default: '1000000' },
} as const

function argumentsGiven() {
  try {
    return parseArgs({ allowPositionals: true, options: known })
  } catch (cause) {
    console.error((cause as Error).message)
    return { ...parseArgs({ args: ['--rounds', 'none'], options: known }), positionals: [] }
  }
}

const { values: options, positionals } = argumentsGiven()
const rounds = Number(options.rounds)

const sections: Record<string, () => Findings | Promise<Findings>> = {
  bytes: measureBytes,
  'page-requests': () => measurePageRequests(rounds),
  'sign-ups': () => measureSignUps(rounds),
  burst: measureBurst,
  announcements: () => measureAnnouncements(rounds),
  million: () => measureMillion(Number(options.people)),
}
/** Only where they are named: each takes minutes. */
const seldom = ['burst', 'million']
const unknown = positionals.filter((name) => !(name in sections))
const isWrong = unknown.length > 0 || !(rounds >= 1)
if (isWrong || options.help) {
  const say = isWrong ? console.error : console.log
  say('Usage: npm run bench -- [--json] [--rounds N] [--people N] [SECTION …]')
  say(`Sections: ${Object.keys(sections).join(', ')}`)
  process.exit(isWrong ? 2 : 0)
}

const rows: Row[] = []
const notes = [machine()]
for (const [name, measure] of Object.entries(sections)) {
  if (positionals.length > 0 ? !positionals.includes(name) : seldom.includes(name)) continue
  console.error(`Measuring: ${name} …`)
  try {
    const findings = await measure()
    rows.push(...findings.rows)
    notes.push(...(findings.notes ?? []))
  } catch (cause) {
    // A section that fails must not lose the results of the others.
    killAll()
    notes.push(`FAILED: ${name}: ${(cause as Error).message}`)
    process.exitCode = 1
  }
}
if (options.json) console.log(JSON.stringify({ notes, rows }, null, 2))
else console.log([table(rows), '', ...notes].join('\n'))
if (rows.some((row) => verdict(row) === 'MISSED')) process.exitCode = 1

function machine(): string {
  return `${dateAndMachine()}, load at the start ${(loadavg()[0] ?? 0).toFixed(1)}`
}
