/** @module-tag thorough */
import { spawnSync } from 'node:child_process'
import { chmodSync, chownSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, type TestContext } from 'vitest'
import { tempDir } from '../../fixtures/temp-dir.ts'
import { git } from './founder.ts'
import { withRepositories, write } from './repositories.ts'

const repositories = withRepositories()

/** A key of somebody's, and what git has to be told to sign with it. */
function key(folder: string, name: string) {
  const file = join(folder, name)
  spawnSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', name, '-f', file])
  const signing = ['-c', 'gpg.format=ssh', '-c', `user.signingKey=${file}`]
  const text = readFileSync(`${file}.pub`, 'utf8')
  return { text, signing, line: `${name}@example.com ${text}` }
}

/** Two repositories, and a file of the operator's with a key that may sign. */
function signed(context: TestContext) {
  if (spawnSync('ssh-keygen', ['-?']).error) context.skip('there is no ssh-keygen')
  const two = repositories()
  const folder = tempDir()
  const [ada, eve] = [key(folder, 'ada'), key(folder, 'eve')]
  const signers = join(folder, 'signers')
  write(folder, 'signers', ada.line)
  /** A commit on top of what is there, signed or not. */
  const commit = (text: string, signing: readonly string[], ...args: string[]) => {
    write(two.upstream, 'src/main.ts', text)
    git(two.upstream, ...signing, 'commit', '-q', '-a', '-m', text, ...args)
    return git(two.upstream, 'rev-parse', 'HEAD')
  }
  const refusal = (id: string) =>
    `Commit ${id} of origin/main is not signed by a key in ${signers}. Nothing was changed.`
  return { ...two, folder, ada, eve, signers, commit, refusal }
}

it('takes a commit that is signed by a key of the operator’s, and no other', async (context) => {
  const { ada, eve, signers, commit, refusal, fetched, taken } = signed(context)
  const unsigned = commit('unsigned', [])
  expect(await taken({ signers })).toBe(refusal(unsigned))
  expect(await fetched()).toBe(unsigned)
  const eves = commit('eve’s', eve.signing, '-S')
  expect(await fetched({ signers })).toBe(refusal(eves))
  const adas = commit('ada’s', ada.signing, '-S')
  expect(await taken({ signers })).toBe(adas)
  expect(await taken({ signers, to: eves })).toBe(refusal(eves))
})

it('lets no setting of git or the repository name another key or another judge', async (context) => {
  const { folder, root, eve, signers, commit, refusal, fetched } = signed(context)
  write(folder, 'theirs', eve.line)
  write(
    folder,
    'yes.sh',
    '#!/bin/sh\necho "Good \\"git\\" signature for a with ED25519 key SHA256:b"\n',
    0o755,
  )
  git(root, 'config', 'gpg.ssh.allowedSignersFile', join(folder, 'theirs'))
  git(root, 'config', 'gpg.ssh.program', join(folder, 'yes.sh'))
  git(root, 'config', 'log.showSignature', 'true')
  const eves = commit('eve’s', eve.signing, '-S')
  expect(await fetched({ signers })).toBe(refusal(eves))
})

it('believes no signature of another commit, of another kind or for another use', async (context) => {
  const { folder, upstream, root, first, ada, signers, commit, refusal, fetched } = signed(context)
  commit('ada’s', ada.signing, '-S')
  const raw = git(upstream, 'cat-file', 'commit', 'HEAD')
  const make = (text: string) => {
    write(folder, 'commit', `${text}\n`)
    const id = git(upstream, 'hash-object', '-t', 'commit', '-w', join(folder, 'commit'))
    git(upstream, 'update-ref', 'refs/heads/main', id)
    git(root, 'update-ref', 'refs/remotes/origin/main', first)
    return id
  }
  const altered = make(raw.replace(/ada’s$/, 'altered'))
  expect(await fetched({ signers })).toBe(refusal(altered))

  // Signed with the same key by hand: for a file, and then as git does.
  const body = raw.replace(/gpgsig [\s\S]*-----END SSH SIGNATURE-----\n/, '')
  write(folder, 'body', `${body}\n`)
  const signedFor = (use: string) => {
    const file = join(folder, 'body')
    rmSync(`${file}.sig`, { force: true })
    spawnSync('ssh-keygen', ['-q', '-Y', 'sign', '-n', use, '-f', join(folder, 'ada'), file])
    const signature = readFileSync(`${file}.sig`, 'utf8').trimEnd().replaceAll('\n', '\n ')
    return make(body.replace('\n\n', `\ngpgsig ${signature}\n\n`))
  }
  const forAFile = signedFor('file')
  expect(await fetched({ signers })).toBe(refusal(forAFile))
  const forGit = signedFor('git')
  expect(await fetched({ signers })).toBe(forGit)
})

it('takes no signature of a ring of keys for letters, which is not the operator’s list', async (context) => {
  if (spawnSync('gpg', ['--version']).status !== 0) context.skip('there is no gpg')
  const { folder, signers, commit, refusal, fetched } = signed(context)
  const home = join(folder, 'gpg')
  write(home, 'x', '')
  chmodSync(home, 0o700)
  const before = process.env.GNUPGHOME
  process.env.GNUPGHOME = home
  try {
    const made = ['--batch', '--passphrase', '', '--quick-gen-key', 'eve@example.com', 'ed25519']
    expect(spawnSync('gpg', made).status).toBe(0)
    const id = commit('by gpg', ['-c', 'user.signingKey=eve@example.com'], '-S')
    expect(await fetched({ signers })).toBe(refusal(id))
  } finally {
    spawnSync('gpgconf', ['--kill', 'all'])
    if (before === undefined) delete process.env.GNUPGHOME
    else process.env.GNUPGHOME = before
  }
})

it('takes no list of keys that an update could bring, or that somebody else may write', async (context) => {
  const { folder, root, ada, signers, commit, fetched } = signed(context)
  const adas = commit('ada’s', ada.signing, '-S')
  expect(await fetched({ signers: join(folder, 'none') })).toContain('--signed: there is no file')
  for (const none of [folder, '/dev/null'])
    expect(await fetched({ signers: none })).toBe(`--signed: ${none} is no file.`)
  write(root, '.update/signers', ada.line)
  symlinkSync(join(root, '.update/signers'), join(folder, 'link'))
  for (const inside of [join(root, '.update/signers'), join(folder, 'link')])
    expect(await fetched({ signers: inside })).toContain('where an update could change it')
  if (process.geteuid?.() !== 0) return
  chownSync(signers, 4242, 4242)
  expect(await fetched({ signers })).toContain(`${signers} does not belong to root`)
  chownSync(signers, 0, 0)
  expect(await fetched({ signers })).toBe(adas)
})
