import { spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, onTestFinished } from 'vitest'
import { isIn, plan } from '../../../src/cli/update/checkout.ts'
import { fetchNewest, gitIn } from '../../../src/cli/update/git.ts'
import { tempDir } from '../../fixtures/temp-dir.ts'
import { git } from './founder.ts'

export function write(root: string, path: string, text: string, mode = 0o644) {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), text, { mode })
}

/**
 * Two checkouts of one version, `upstream` and its clone `site`: made once for a file of tests, and
 * copied for each test. To be called at the top of the file.
 *
 * @param fill commits that version. @returns makes a copy, which goes when the test ends.
 */
export function withTwoCheckouts(fill: (upstream: string) => void) {
  let template = ''
  beforeAll(() => {
    template = mkdtempSync(join(tmpdir(), 'opening-bell-two-'))
    const upstream = join(template, 'upstream')
    git(template, 'init', '-q', '-b', 'main', upstream)
    fill(upstream)
    git(template, 'clone', '-q', upstream, join(template, 'site'))
  })
  afterAll(() => rmSync(template, { recursive: true, force: true }))
  return () => {
    const folder = tempDir()
    const [upstream, root] = [join(folder, 'upstream'), join(folder, 'site')]
    cpSync(template, folder, { recursive: true, preserveTimestamps: true })
    const config = join(root, '.git/config')
    writeFileSync(config, readFileSync(config, 'utf8').replaceAll(template, folder))
    return { folder, upstream, root }
  }
}

function committed(upstream: string, text: string, ...args: string[]) {
  write(upstream, 'src/main.ts', text)
  write(upstream, 'product.config.ts', 'theirs')
  write(upstream, '.gitignore', '/.update/\n')
  git(upstream, 'add', '-A')
  git(upstream, 'commit', '-q', '-m', text, ...args)
  return git(upstream, 'rev-parse', 'HEAD')
}

/**
 * A repository that others push to, and a founder's clone of it. To be called at the top of a file of
 * tests. @returns makes them, for a test.
 */
export function withRepositories() {
  const twoCheckouts = withTwoCheckouts((upstream) => committed(upstream, 'first'))
  return () => repositoriesIn(twoCheckouts())
}

function repositoriesIn({
  folder,
  upstream,
  root,
}: ReturnType<ReturnType<typeof withTwoCheckouts>>) {
  const commit = (text: string, ...args: string[]) => committed(upstream, text, ...args)
  const first = git(root, 'rev-parse', 'HEAD')
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
