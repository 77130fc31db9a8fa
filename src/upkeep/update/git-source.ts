import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { refused } from '../refusal.ts'
import { mergedTree, refuseOtherEdits, snapshot } from './edits.ts'
import { packageFolders } from './folders.ts'
import { type Git, gitIn } from './git.ts'
import { refuseInTheWay } from './in-the-way.ts'
import { newSteps } from './new-steps.ts'
import { refuseOthersCheckout } from './right-user.ts'
import { refuseUnsigned } from './signed.ts'
import type { Look, Plan, Source } from './source.ts'
import { fetchUpstream, refuseHuge } from './upstream.ts'

/** Protects commits without a branch from git's garbage collection. */
const refs = { before: 'refs/opening-bell/before', after: 'refs/opening-bell/after' } as const
const SHOWN_CHANGES = 20
const SHOWN_LENGTH = 200

export interface GitSourceOptions {
  /** A branch of a remote, such as `origin/main`; otherwise the followed one. */
  readonly from?: string | undefined
  /** A commit of that branch, by its full id; otherwise the newest one. */
  readonly to?: string | undefined
  /** A file of keys; one of them must have signed the commit. */
  readonly signers?: string | undefined
}

/**
 * The checkout of a founder: upstream's history, commits of their own, and uncommitted edits of
 * `product.config.ts`, `brand/` and letters. All merging is done beside the checkout.
 *
 * @param work a folder for files of ours.
 */
export function gitSource(
  root: string,
  work: string,
  { from, to, signers }: GitSourceOptions = {},
): Source {
  const git = gitIn(root)
  const index = join(work, 'index')

  return {
    async look() {
      const { head, branch } = await whereWeAre(git, root)
      const { name, commit: target } = await fetchUpstream(git, from, to)
      const isIn = async (one: string, other: string) =>
        (await git.ask(['merge-base', '--is-ancestor', one, other])).status === 0
      if (await isIn(target, head)) return undefined
      if (signers !== undefined) await refuseUnsigned(git, root, { name, commit: target }, signers)
      await refuseHuge(git, target)
      await refuseOtherEdits(git)
      const own = await snapshot(git, index, head)
      const tree = await mergedTree(git, head, target)
      const after = (await isIn(head, target))
        ? target
        : await git(['commit-tree', tree, '-p', head, '-p', target, '-m', 'Update Opening Bell'])
      // Before the merge, which would rename files that collide.
      await refuseInTheWay(git, root, index, { head, own, after })
      const edits = own === head ? after : await withEdits(git, own, after)
      const plan: Plan = { branch, head, own, after, edits }
      return { plan, from: name, target, ...(await whatChanges(git, plan, target)) }
    },

    async stage({ own = '', edits = '' }, folder) {
      await git(['update-ref', refs.before, own])
      await git(['update-ref', refs.after, edits])
      const staged = join(work, 'staged-index')
      rmSync(staged, { force: true })
      await git(['read-tree', edits], { index: staged })
      await git(['checkout-index', '--all', `--prefix=${folder}/`], { index: staged })
      rmSync(staged, { force: true })
    },

    async isAsPlanned({ branch = '', head = '', own = '', after = '' }) {
      if ((await git(['rev-parse', branch])) !== head) return false
      await refuseOtherEdits(git)
      await refuseInTheWay(git, root, index, { head, own, after })
      return sameTree(git, await snapshot(git, index, head), own)
    },

    forth: ({ branch = '', own = '', edits = '', after = '' }) =>
      go({ branch, onto: edits, than: own, head: after }),
    back: ({ branch = '', own = '', edits = '', head = '' }) =>
      go({ branch, onto: own, than: edits, head }),

    words: ({ head = '', after = '' }) => ({ before: head.slice(0, 9), after: after.slice(0, 9) }),
  }

  /** Each of the commands changes nothing if it was done before. */
  async function go(way: { branch: string; onto: string; than: string; head: string }) {
    const { branch, onto, than, head } = way
    // Leftovers of a killed git, which were all ours.
    for (const left of [
      `${index}.lock`,
      join(await git(['rev-parse', '--absolute-git-dir']), 'index.lock'),
    ])
      rmSync(left, { force: true })
    await keepFound(onto, than)
    await git(['read-tree', than], { index })
    await git.ask(['update-index', '-q', '--refresh'], { index })
    await git(['read-tree', '--reset', '-u', onto], { index })
    await git(['update-ref', '--no-deref', branch, head])
    await git(['read-tree', head])
    await git.ask(['update-index', '-q', '--refresh'])
  }

  /** Keeps files of neither version, which were edited since, or half written. */
  async function keepFound(onto: string, than: string) {
    await git(['read-tree', than], { index })
    await git(['add', '--update'], { index })
    const found = await git(['write-tree'], { index })
    const differs = async (other: string) =>
      (await git(['diff', '--name-only', '--diff-filter=AM', other, found])).split('\n')
    const others = new Set(await differs(onto))
    if ((await differs(than)).some((path) => path !== '' && others.has(path))) {
      const kept = await git(['commit-tree', found, '-p', than, '-m', 'As an update found it'])
      await git(['update-ref', 'refs/opening-bell/found', kept])
    }
  }
}

async function whereWeAre(git: Git, root: string) {
  const top = await git.ask(['rev-parse', '--show-prefix', '--verify', 'HEAD'])
  refuseOthersCheckout(root, top.stderr)
  if (top.status !== 0 || !top.stdout.startsWith('\n') || !existsSync(join(root, '.git')))
    throw refused({ code: 'no-checkout', root })
  const state = await git(['rev-parse', '--absolute-git-dir'])
  for (const one of ['MERGE_HEAD', 'rebase-merge', 'rebase-apply', 'CHERRY_PICK_HEAD'])
    if (existsSync(join(state, one))) throw refused({ code: 'merge-under-way' })
  const head = await git(['rev-parse', 'HEAD'])
  const { status, stdout } = await git.ask(['symbolic-ref', '-q', 'HEAD'])
  return { head, branch: status === 0 ? stdout.trim() : 'HEAD' }
}

/** The founder's uncommitted edits on top of the new version. */
async function withEdits(git: Git, own: string, after: string): Promise<string> {
  const tree = await mergedTree(git, own, after)
  return git(['commit-tree', tree, '-p', after, '-m', 'With edits that are not committed'])
}

async function sameTree(git: Git, one: string, other: string) {
  return (await git.ask(['diff', '--quiet', one, other])).status === 0
}

async function whatChanges(
  git: Git,
  { head = '', own = '', edits = '' }: Plan,
  target: string,
): Promise<Omit<Look, 'plan' | 'from' | 'target'>> {
  const log = await git(['log', '--no-merges', '--format=%h %s', `${head}..${target}`])
  const all = log.split('\n').filter((line) => line !== '')
  const own_ = await git(['diff', '--name-only', head, own])
  const packages = [
    'package.json',
    ...packageFolders.map((one) => one.replace(/node_modules$/, 'package-lock.json')),
  ]
  const { status } = await git.ask(['diff', '--quiet', head, edits, '--', ...packages])
  return {
    changes: all.slice(0, SHOWN_CHANGES).map((line) => line.slice(0, SHOWN_LENGTH)),
    moreChanges: Math.max(0, all.length - SHOWN_CHANGES),
    edits: own_.split('\n').filter((path) => path !== ''),
    steps: {
      sqlite: await newSteps(git, 'src/store/sqlite', head, edits),
      firestore: await newSteps(git, 'src/store/firestore/migrations', head, edits),
    },
    newPackages: status !== 0,
  }
}
