import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, readlinkSync, realpathSync } from 'node:fs'
import { sep } from 'node:path'

/** How the tool is started, and the commands that may wait for their time without a lock. */
const TOOL = /(^|\/)(src\/operator\/main\.[jt]s|bin\/opening-bell(\.mjs)?)$/
const WAITING = ['announce', 'ask']

/**
 * The processes on this machine that announce from a list, or wait to: a wave that is waited for has
 * no lock. What hides which files it has open counts as one of them.
 *
 * @param dataDir the folder of the list. @returns their ids.
 */
export function waitingRuns(dataDir: string): number[] {
  const folder = orNothing(() => realpathSync(dataDir)) ?? dataDir
  return processes()
    .filter(({ words }) => isWaiting(words))
    .map(({ pid }) => pid)
    .filter((pid) => mayHaveOpen(pid, folder))
}

function isWaiting(words: readonly string[]): boolean {
  const tool = words.findIndex((word) => TOOL.test(word))
  return tool >= 0 && WAITING.includes(words[tool + 1] ?? '')
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
      const line = orNothing(() => readFileSync(`/proc/${pid}/cmdline`, 'utf8')) ?? ''
      return { pid: Number(pid), words: line.split('\0') }
    })
}

function mayHaveOpen(pid: number, folder: string): boolean {
  const open = `/proc/${pid}/fd`
  const names = orNothing(() => readdirSync(open))
  if (!names) return true
  return names.some((name) =>
    orNothing(() => readlinkSync(`${open}/${name}`))?.startsWith(folder + sep),
  )
}

function orNothing<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}
