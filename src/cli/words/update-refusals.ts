import type { Words } from '../../shared/refused.ts'
import { grouped } from '../../terminal/words.ts'
import { service } from '../../upkeep/install/service-files.ts'
import type { FileOwner, UpdateRefusal } from '../../upkeep/refusal.ts'
import { withRemedy } from './file-rights.ts'
import { notReadyInWords } from './not-ready.ts'

const UNCHANGED = 'Nothing was changed.'

/** The first few of many, such as `a, b and 4 more`. */
function some(paths: readonly string[]): string {
  const shown = paths.slice(0, 5).join(', ')
  return paths.length > 5 ? `${shown} and ${paths.length - 5} more` : shown
}

/** The owner of a file, and how to run the command as them. */
function ownerInWords({ uid, name }: FileOwner): { who: string; how: string } {
  if (uid === undefined)
    return { who: 'another user', how: 'Run this command as the user who owns it.' }
  const who = name ?? `user ${uid}`
  // Without quotes, a shell takes a number with its # for a comment.
  const sudo = uid === 0 ? 'sudo' : `sudo -u ${name ?? `'#${uid}'`}`
  return {
    who,
    how: `Run this command as ${who}: begin with ${sudo}, and repeat the settings after that, since sudo drops those before it.`,
  }
}

export const updateRefusals: Words<UpdateRefusal> = {
  'other-update': () => 'Another update is under way here.',
  'not-confirmed': () => `${UNCHANGED} The same command with --yes does it.`,
  'other-list': ({ list, named }) =>
    `The update that is under way here is of the list in ${list}, and these settings have ${named}. Run the same command with all settings of the server, ${list === 'Firestore' ? 'STORE=firestore' : `DATA_DIR=${list}`} among them.`,

  'no-program': ({ program }) => `${program} is not there.`,
  'may-not-reach': ({ uid, path }) =>
    `User ${uid}, who owns the data, may not read ${path}: move the code and Node to where everybody may read them, such as /srv and /usr.`,
  failed: ({ command, said }) => `"${command}" failed: ${said}`,
  'stop-and-start': () => 'Name both, --stop and --start.',
  'systemd-settings': () =>
    `systemd runs the server, with settings that are not set here: ${service.call} update`,
  'systemd-root': () =>
    `systemd runs the server, and only root may restart it: ${service.call} update`,
  'server-runs': ({ url }) =>
    `A server runs at ${url}, and systemd does not run it. Stop it first, and start it again afterwards; or say what stops and starts it, with --stop "…" --start "…".`,

  'writable-by-others': ({ wrong }) =>
    `${withRemedy(wrong)} Look first at what was written there: an update runs it as root. ${UNCHANGED}`,
  'not-writable': ({ place, owner, cause }) => {
    if (cause !== undefined) return `${place} cannot be written: ${cause}`
    const { who, how } = ownerInWords(owner)
    return `This user may not write ${place}, which belongs to ${who}. ${how}`
  },
  'others-checkout': ({ root, owner }) => {
    const { who, how } = ownerInWords(owner)
    return `${root} belongs to ${who}, and git works there for no other user. ${how}`
  },

  'no-checkout': ({ root }) => `${root} is no checkout of git, so nothing says where it is from.`,
  'merge-under-way': () => 'A merge or a rebase is under way here: end it, or abort it, first.',
  'git-failed': ({ args, said }) => `git ${args}: ${said}`,
  'too-much-for-git': ({ args }) => `git ${args}: it takes too long, or there is too much of it.`,
  'old-git': ({ version }) =>
    `git could not merge; 2.38 or newer is needed, and this is ${version}.`,
  'follows-nothing': () =>
    'This branch follows no branch of a remote: say where the update comes from, such as --from origin/main.',
  'unknown-branch': ({ from, remote }) =>
    `--from takes a branch of a remote, such as ${remote ?? 'origin'}/main; ${from} is none. ${UNCHANGED}`,
  'ambiguous-remote': ({ from, remotes }) =>
    `--from ${from} is ambiguous: it may be of ${remotes.join(' or of ')}. Give one of them another name with "git remote rename". ${UNCHANGED}`,
  'no-branch-name': ({ branch }) => `--from: ${branch} cannot be the name of a branch.`,
  'branch-of-another-name': ({ from }) =>
    `--from takes a branch by its own name: ${from} stands for another one.`,
  'ambiguous-branch': ({ name, other }) =>
    `${name} is ambiguous: ${other} has the same name. Ask who made that; "git update-ref -d ${other}" takes it away here. ${UNCHANGED}`,
  'branch-gone': ({ remote, branch }) =>
    `${remote} has no branch ${branch}. If it was renamed, name the one that took its place: --from ${remote}/<branch>. ${UNCHANGED}`,
  'branch-rewritten': ({ name, remote, refspec }) =>
    `${name} was rewritten: it lacks commits that it had at the last fetch. Ask who did that. If it is right, "git fetch --no-tags ${remote} +${refspec}" takes it; then give the update command again. ${UNCHANGED}`,
  'branch-too-large': ({ name }) =>
    `The new commits of ${name} are larger than 1 GiB, or take longer than ten minutes, and are not taken. ${UNCHANGED}`,
  'short-commit': () => '--to takes the whole id of a commit, as --check shows it.',
  'unknown-commit': ({ name, to }) => `${name} has no commit ${to}. ${UNCHANGED}`,
  unsigned: ({ commit, name, signers, hasNoKeygen }) =>
    `Commit ${commit} of ${name} is not signed by a key in ${signers}.${hasNoKeygen ? ' ssh-keygen, which checks that, is not installed here.' : ''} ${UNCHANGED}`,
  signers: ({ signers, why, root }) => {
    if (why === 'missing') return `--signed: there is no file ${signers}.`
    if (why === 'no-file') return `--signed: ${signers} is no file.`
    return `--signed: ${signers} is in ${root}, where an update could change it: keep it elsewhere, such as in /etc.`
  },

  'version-too-large': ({ files, gibibytes }) =>
    `The new version has more than ${grouped(files)} files, or more than ${gibibytes} GiB, and is not taken. ${UNCHANGED}`,
  'version-too-old': ({ file }) =>
    `The new version is from before there were updates: it has no ${file}.`,
  uncommitted: ({ paths }) =>
    `Changed and not committed: ${some(paths)}. To keep that, "git commit" it, and the update merges it; to drop it, "git checkout HEAD -- ${paths[0]}". ${UNCHANGED}`,
  conflict: ({ paths, theirs }) =>
    `You and the update changed the same lines of ${paths.join(', ')}. ${UNCHANGED} On the machine where you edit, commit your changes, run "git merge ${theirs}", solve the conflict there, and push. Then give the update command again.`,
  'in-the-way': ({ root, paths }) =>
    `The update brings files with the names of files here that git does not know: ${some(paths)}. Move those out of ${root}, or rename them, and start again. ${UNCHANGED}`,
  'not-prepared': () => `The new version cannot be prepared. ${UNCHANGED}`,

  announcing: () =>
    `An announcement is under way. Nothing was changed: wait for its end, or stop it with Ctrl-C where it runs, and give the same announce command again after the update.`,
  'run-waits': ({ pid }) =>
    `An announcement waits here, as process ${pid}. Nothing was changed: stop it with Ctrl-C where it runs, or "kill -INT ${pid}", and give the same announce command again after the update.`,
  'not-backed-up': ({ said }) => `No back-up could be made: ${said}\n${UNCHANGED}`,
  'not-copied': ({ said }) => `The list cannot be copied: ${said}`,
  'people-missing': ({ before, after }) =>
    before === after
      ? `With the new version, the ${grouped(before)} subscribers are not the same as before. ${UNCHANGED}`
      : `The new version does not have all subscribers: ${grouped(after)} instead of ${grouped(before)}. ${UNCHANGED}`,
  'does-not-run': ({ found }) =>
    `The new version does not run here: ${notReadyInWords(found)}\n${UNCHANGED}`,
  list: ({ said }) => said,
}
