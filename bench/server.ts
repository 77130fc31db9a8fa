import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { start, workFolder } from './processes.ts'
import { residentMemory } from './processor.ts'
import { type Findings, single } from './report.ts'

const SETTLE_MS = 5000

/**
 * How long a newcomer waits for the first page, and what that first server holds when it is idle.
 */
export async function measureServer(): Promise<Findings> {
  const clone = join(workFolder, 'clone')
  const started = performance.now()
  // A clone of the committed files; npm uses its cache for the packages.
  execFileSync('git', ['clone', '--quiet', '.', clone])
  const server = await start('npm', ['start'], {
    ready: / is open at (\S+)/,
    cwd: clone,
    env: withoutOurs({ ...process.env, PORT: '0', DATA_DIR: join(clone, 'data') }),
  })
  const seconds = (performance.now() - started) / 1000
  await sleep(SETTLE_MS)
  const megabytes = residentMemory(serverUnder(server.pid))
  await server.stop()
  return {
    rows: [
      {
        what: 'fresh clone to serving',
        figure: single(seconds),
        unit: 's',
        budget: { must: 40, aim: 15, better: 'less' },
      },
      {
        what: 'idle server, the first after a clone, resident memory',
        figure: single(megabytes),
        unit: 'MB',
        budget: { must: 95, aim: 85, better: 'less' },
      },
    ],
  }
}

/** Without the compile cache of the benchmark itself, which has all code already. */
function withoutOurs({ NODE_COMPILE_CACHE: _, ...env }: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return env
}

/** npm starts the server as its child. */
function serverUnder(pid: number): number {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim()
  return children === '' ? pid : serverUnder(Number(children.split(' ')[0]))
}
