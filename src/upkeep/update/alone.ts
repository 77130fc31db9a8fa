import { existsSync, readFileSync, realpathSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { orUndefined } from '../../shared/or-undefined.ts'
import { rootsAlone, wrongAbove, wrongIn } from '../install/code-rights.ts'
import { refused } from '../refusal.ts'
import { refuseOthersFolder } from './right-user.ts'
import { workIn } from './state.ts'

/**
 * git's settings in a checkout name programs, and the code in it is run in the end: a user who may
 * write there would become root by an update.
 *
 * @param root the installation. @throws Refused
 */
export function refuseOthersFiles(root: string): void {
  if (process.geteuid?.() !== 0) return
  refuseOthersFolder(root)
  for (const place of placesOfGit(root)) refuseWritable(place)
  refuseWritable(workIn(root))
}

/** @param path of files that only root may change, if root runs this. @throws Refused */
export function refuseWritable(path: string): void {
  if (process.geteuid?.() !== 0 || !existsSync(path)) return
  const real = realpathSync(path)
  const above = wrongAbove(real, rootsAlone)
  const wrong = above ? [above] : [...wrongIn(real, rootsAlone)]
  if (wrong.length > 0) throw refused({ code: 'writable-by-others', wrong })
}

/**
 * The folders that git reads for a checkout: a worktree shares another's, and objects may be
 * borrowed.
 */
function placesOfGit(root: string): string[] {
  const git = join(root, '.git')
  const link = /^gitdir: (.*)$/m.exec(textOf(git) ?? '')?.[1]
  const own = link === undefined ? git : resolve(root, link)
  const shared = textOf(join(own, 'commondir'))
  const common = shared === undefined ? own : resolve(own, shared.trim())
  return [...new Set([own, common, ...borrowedBy(join(common, 'objects'))])]
}

/** https://git-scm.com/docs/gitrepository-layout#Documentation/gitrepository-layout.txt-objectsinfoalternates */
function borrowedBy(objects: string, depth = 0): string[] {
  const lines = (textOf(join(objects, 'info/alternates')) ?? '').split('\n')
  const found = lines.filter((line) => line !== '').map((line) => resolve(objects, line))
  // git itself follows five of them.
  return depth > 5 ? found : found.flatMap((one) => [one, ...borrowedBy(one, depth + 1)])
}

const textOf = (file: string) => orUndefined(() => readFileSync(file, 'utf8'))
