import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { start, workFolder } from './processes.ts'
import { type Findings, single } from './report.ts'

const SETTLE_MS = 5000

/** What an idle server holds, and how long a newcomer waits for the first page. */
export async function measureServer(): Promise<Findings> {
  return {
    rows: [
      {
        what: 'idle server, resident memory',
        figure: single(await idleMegabytes()),
        unit: 'MB',
        budget: { must: 95, aim: 82, better: 'less' },
      },
      {
        what: 'fresh clone to serving',
        figure: single(await secondsFromClone()),
        unit: 's',
        budget: { must: 40, aim: 25, better: 'less' },
      },
    ],
  }
}

async function idleMegabytes(): Promise<number> {
  const dataDir = join(workFolder, 'idle')
  mkdirSync(dataDir)
  const server = await start('npm', ['start'], {
    ready: / is open at (\S+)/,
    env: { ...process.env, PORT: '0', DATA_DIR: dataDir },
  })
  await sleep(SETTLE_MS)
  const status = readFileSync(`/proc/${serverUnder(server.pid)}/status`, 'utf8')
  await server.stop()
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1000
}

/** npm starts the server as its child. */
function serverUnder(pid: number): number {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim()
  return children === '' ? pid : serverUnder(Number(children.split(' ')[0]))
}

/** Of what is committed; npm takes the packages from its cache if it has them. */
async function secondsFromClone(): Promise<number> {
  const clone = join(workFolder, 'clone')
  const started = performance.now()
  execFileSync('git', ['clone', '--quiet', '.', clone])
  const server = await start('npm', ['start'], {
    ready: / is open at (\S+)/,
    cwd: clone,
    env: { ...process.env, PORT: '0', DATA_DIR: join(clone, 'data') },
  })
  const seconds = (performance.now() - started) / 1000
  await server.stop()
  return seconds
}
