import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { workFolder } from '../processes.ts'
import { peakMemory } from '../processor.ts'
import { type Row, single } from '../report.ts'

/**
 * The operator's commands that read everybody: how long each takes, and how much more memory it
 * holds at its height than with a list of nobody.
 *
 * @param empty a store's folder, as is `filled`.
 */
export async function measureCommands(empty: string, filled: string): Promise<Row[]> {
  const rows: Row[] = []
  // Fills Node's compile cache, so that no command loads the compiler that removes types.
  await run('export', empty)
  for (const command of ['export', 'list', 'backup']) {
    const idle = await run(command, empty)
    const whole = await run(command, filled)
    rows.push(
      { what: `${command} of everybody`, figure: single(whole.seconds), unit: 's' },
      {
        what: `${command}, resident memory over that of an empty list`,
        figure: single(whole.megabytes - idle.megabytes),
        unit: 'MB',
        ...(command === 'export' && { budget: { must: 50, aim: 20, better: 'less' } }),
      },
    )
  }
  return rows
}

async function run(command: string, name: string) {
  const folder = join(workFolder, 'store')
  const output = join(folder, `${name}.${command}`)
  const started = performance.now()
  const child = spawn(process.execPath, ['src/cli/main.ts', command, '--output', output], {
    env: { ...process.env, DATA_DIR: join(folder, name) },
    stdio: 'ignore',
  })
  let megabytes = 0
  const look = setInterval(() => {
    // The memory of a process that has just ended is not known.
    megabytes = Math.max(megabytes, peakMemory(child.pid as number) || 0)
  }, 10)
  const [code] = await once(child, 'exit')
  clearInterval(look)
  rmSync(output, { force: true })
  if (code !== 0) throw new Error(`${command} ended with ${code}`)
  return { megabytes, seconds: (performance.now() - started) / 1000 }
}
