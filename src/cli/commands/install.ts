import { spawnSync } from 'node:child_process'
import { realpathSync } from 'node:fs'
import { codeFolder, isPackage, productFolder } from '../../product/folders.mjs'
import { inWords, type Words } from '../../shared/refused.ts'
import { exitCodes } from '../../terminal/exit-codes.ts'
import { OperatorError } from '../../terminal/operator-error.ts'
import type { Out } from '../../terminal/out.ts'
import { type Finding, findings } from '../../upkeep/install/findings.ts'
import { install, type Machine, planInstall } from '../../upkeep/install/install.ts'
import { service, unitFiles } from '../../upkeep/install/service-files.ts'
import { run } from '../run.ts'
import { whatIsWrong, withRemedy } from '../words/file-rights.ts'

export interface InstallOptions {
  /** Print the units and do nothing else. */
  readonly print?: boolean
  /** Do it; without this it is only shown. */
  readonly yes?: boolean
  /** Also replace files that are not as an installation wrote them. */
  readonly replace?: boolean
}

export const fromCommandLine = (options: InstallOptions) =>
  run({}, (out) => installCommand(options, thisSystem(), out))

function thisSystem(): Machine {
  const place = {
    root: realpathSync(productFolder),
    node: realpathSync(process.execPath),
    ...(isPackage && { code: realpathSync(codeFolder) }),
  }
  return {
    ...place,
    prefix: '',
    problems: findings(place),
    isRoot: process.geteuid?.() === 0,
    run: ([program, ...args]) => spawnSync(program, args, { stdio: 'inherit' }).status === 0,
  }
}

/** `install --systemd`: shows what it would do, and does it with `yes`. */
export async function installCommand(options: InstallOptions, machine: Machine, out: Out) {
  const { print, yes, replace } = options
  const { problems } = machine
  if (print) {
    for (const { path, text } of unitFiles(machine)) await out.write(`# ${path}\n${text}\n`)
    return exitCodes.done
  }

  const plan = planInstall(machine)
  const { changed } = plan
  out.say(`To run the server in ${machine.root} as a service:`)
  for (const { path, state } of plan.files) {
    const does = state === 'new' ? 'write ' : state === 'same' ? 'leave ' : 'CHANGE'
    out.say(`  ${does} ${path}`)
    if (typeof state === 'object') for (const line of state.differences) out.say(`      ${line}`)
  }
  for (const command of plan.commands) out.say(`  run    ${command.join(' ')}`)
  if (plan.isInTheClear) out.say(IN_THE_CLEAR)
  for (const problem of problems) out.say(`${out.style.red('PROBLEM')} ${problemInWords(problem)}`)

  if (!yes) {
    const again = changed.length > 0 && !replace ? '--yes --replace' : '--yes'
    const advice = problems.length > 0 ? '' : ` The same command with ${again} does it.`
    out.say(`Nothing was changed.${advice}`)
    return problems.length > 0 ? exitCodes.failed : exitCodes.done
  }
  const refuse = (why: string) => new OperatorError(`Nothing was changed${why}`)
  if (problems.length > 0) throw refuse(', because of the above.')
  if (changed.length > 0 && !replace)
    throw refuse(
      `: ${changed.join(', ')} ${changed.length === 1 ? 'is not as this version writes it' : 'are not as this version writes them'}. --replace replaces ${changed.length === 1 ? 'it, and keeps the old one beside it' : 'them, and keeps the old ones beside them'} as ….before`,
    )
  if (!plan.hasSystemd) throw refuse(': systemd does not run on this machine.')
  if (!machine.isRoot) throw refuse(': only root may do this. Run the same command with sudo.')

  const failed = install(plan, machine)
  if (failed)
    throw new OperatorError(
      `"${failed.join(' ')}" failed. What went wrong: journalctl -u ${service.unit} -n 20`,
    )
  out.say(`Done. Settings: ${service.settings}. The operator's tool: ${service.call} status`)
  return exitCodes.done
}

const IN_THE_CLEAR = `Back-ups hold the list and its keys unencrypted, in ${service.backups}, until BACKUP_PASSPHRASE in ${service.settings} encrypts them: docs/backups.md.`

/** What prevents the installation, in a line with its remedy. */
export const problemInWords = (found: Finding): string => inWords(problems, found)

const problems: Words<Finding> = {
  'odd-name': ({ path }) =>
    `${path} has a quotation mark, a backslash or a dollar sign in its name: rename it.`,
  hidden: ({ path }) =>
    `The service cannot see ${path}. If that is the project, move it to /srv/opening-bell. If it is Node, install Node below /usr, or remove that Node: the service then runs on the one that npm brings.`,
  'folder-above': ({ wrong }) => `${whatIsWrong(wrong)}: the code must belong to root alone.`,
  rights: ({ wrong }) => withRemedy(wrong),
  'not-built': () => 'The page is not built: run "npm run build".',
  setting: ({ problem }) => problem,
  'other-page': ({ built, set }) =>
    `The page is built for ${built ? `PUBLIC_URL=${built}` : 'no PUBLIC_URL'}, and ${service.settings} has ${set || 'none'}: run "${set ? `PUBLIC_URL=${set} ` : ''}npm run build".`,
  'list-elsewhere': ({ folder }) =>
    `The list is in ${folder}, and the service keeps it in ${service.dataDir}: stop the server that uses it, then run "mv '${folder}' ${service.dataDir}".`,
}
