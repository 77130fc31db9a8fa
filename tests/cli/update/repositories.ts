import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'
import { isIn, plan } from '../../../src/cli/update/checkout.ts'
import { fetchNewest, gitIn } from '../../../src/cli/update/git.ts'
import { tempDir } from '../../fixtures/temp-dir.ts'
import { git } from './founder.ts'

export function write(root: string, path: string, text: string, mode = 0o644) {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), text, { mode })
}

/** A repository that others push to, and a founder's clone of it. */
export function repositories() {
  const folder = tempDir()
  const [upstream, root] = [join(folder, 'upstream'), join(folder, 'site')]
  git(folder, 'init', '-q', '-b', 'main', upstream)
  const commit = (text: string, ...args: string[]) => {
    write(upstream, 'src/main.ts', text)
    write(upstream, 'product.config.ts', 'theirs')
    write(upstream, '.gitignore', '/.update/\n')
    git(upstream, 'add', '-A')
    git(upstream, 'commit', '-q', '-m', text, ...args)
    return git(upstream, 'rev-parse', 'HEAD')
  }
  const first = commit('first')
  git(folder, 'clone', '-q', upstream, root)
  mkdirSync(join(root, '.update'))
  const here = gitIn(root)
  const look = () => {
    const { commit } = fetchNewest(here)
    return isIn(here, commit, 'HEAD') ? undefined : { commit, plan: plan(here, commit) }
  }
  return {
    ...{ folder, upstream, root, commit, first, look, git: here },
    /** The commit that an update would take; or why it would take none. */
    taken(): string | undefined {
      try {
        return look()?.commit
      } catch (error) {
        return (error as Error).message
      }
    },
    /** What somebody else who may push another branch has made. */
    foreign() {
      git(upstream, 'switch', '-q', '-c', 'foreign')
      const made = commit('foreign')
      git(upstream, 'switch', '-q', 'main')
      return made
    },
  }
}

/** A program that says that it ran. */
export function trap(folder: string) {
  const [program, ran] = [join(folder, 'trap.sh'), join(folder, 'ran')]
  write(folder, 'trap.sh', `#!/bin/sh\necho "$0 $*" >>'${ran}'\ncat\n`, 0o755)
  return { program, hasRun: () => existsSync(ran) }
}

/** Sets a setting of git for all that this test starts, as the operator's own file would. */
export function operatorsSettings(...settings: string[]) {
  const file = join(tempDir(), 'gitconfig')
  for (const setting of settings) {
    const [key = '', ...value] = setting.split('=')
    spawnSync('git', ['config', '--file', file, key, value.join('=')])
  }
  const before = process.env.GIT_CONFIG_GLOBAL
  process.env.GIT_CONFIG_GLOBAL = file
  onTestFinished(() => {
    if (before === undefined) delete process.env.GIT_CONFIG_GLOBAL
    else process.env.GIT_CONFIG_GLOBAL = before
  })
}
