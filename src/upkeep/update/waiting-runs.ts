import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, readlinkSync, realpathSync } from 'node:fs'
import { sep } from 'node:path'
import { runIn } from '../../announcement/run/run-words.ts'
import { orUndefined } from '../../shared/or-undefined.ts'

/**
 * The processes on this machine that announce from a list, or wait to: a waiting one holds no lock.
 * A process whose open files are hidden counts as one of them.
 *
 * @param dataDir the folder of the list. @returns their ids.
 */
export function waitingRuns(dataDir: string): number[] {
  const folder = orUndefined(() => realpathSync(dataDir)) ?? dataDir
  return processes()
    .filter(({ words }) => runIn(words))
    .map(({ pid }) => pid)
    .filter((pid) => mayHaveOpen(pid, folder))
}

function processes(): { pid: number; words: string[] }[] {
  if (process.platform !== 'linux')
    return execFileSync('ps', ['-axo', 'pid=,args='], { encoding: 'utf8' })
      .split('\n')
      .map((line) => line.trim().split(/\s+/))
      .map(([pid, ...words]) => ({ pid: Number(pid), words }))
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => {
      // It may have ended since.
      const line = orUndefined(() => readFileSync(`/proc/${pid}/cmdline`, 'utf8')) ?? ''
      return { pid: Number(pid), words: line.split('\0') }
    })
}

function mayHaveOpen(pid: number, folder: string): boolean {
  const open = `/proc/${pid}/fd`
  const names = orUndefined(() => readdirSync(open))
  if (!names) return true
  return names.some((name) =>
    orUndefined(() => readlinkSync(`${open}/${name}`))?.startsWith(folder + sep),
  )
}
