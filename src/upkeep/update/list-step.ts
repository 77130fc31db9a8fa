/**
 * One step of an update with the list, as a process of the list's owner; prints its result as JSON.
 * `node list-step.ts look|scratch|drop <folder>`
 */
import { copyFileSync, existsSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { faultLine } from '../../shared/fault-report.ts'
import { lookAtList } from '../../store/list-at-rest.ts'
import { updateScratch } from '../../store/list-file.ts'
import { StoreUnavailable } from '../../store/subscriber-store.ts'

const [step, folder = ''] = process.argv.slice(2)
const scratch = updateScratch(folder)

try {
  process.stdout.write(`${JSON.stringify((await take()) ?? null)}\n`)
} catch (cause) {
  // In one line, since the update shows only the last ones.
  console.error(
    cause instanceof StoreUnavailable
      ? cause.message
      : `The list cannot be used: ${faultLine(cause)}`,
  )
  process.exitCode = 1
}

async function take(): Promise<unknown> {
  switch (step) {
    case 'look':
      return lookAtList(folder)
    case 'scratch':
      rmSync(scratch, { recursive: true, force: true })
      mkdirSync(scratch, { mode: 0o700 })
      for (const name of ['link.key', 'session.key'])
        if (existsSync(join(folder, name))) copyFileSync(join(folder, name), join(scratch, name))
      return scratch
    case 'drop':
      rmSync(scratch, { recursive: true, force: true })
      return true
    default:
      throw new Error(`There is no step ${step}.`)
  }
}
