import { existsSync, realpathSync } from 'node:fs'
import { createInterface } from 'node:readline/promises'
import { type Command, InvalidArgumentError } from 'commander'
import { isPackage, productFolder } from '../../product/folders.mjs'
import { exitCodes } from '../../terminal/exit-codes.ts'
import { OperatorError } from '../../terminal/operator-error.ts'
import { builtFor } from '../../upkeep/install/findings.ts'
import { refuseOthersFiles } from '../../upkeep/update/alone.ts'
import { gitSource } from '../../upkeep/update/git-source.ts'
import { findService } from '../../upkeep/update/service.ts'
import { workIn } from '../../upkeep/update/state.ts'
import { secondHalf, type UpdateOptions, update } from '../../upkeep/update/update.ts'
import { listOf, run } from '../run.ts'
import { reportTo } from '../words/told.ts'

interface UpdateArguments extends UpdateOptions {
  /** A branch of a remote, such as `origin/main`. */
  readonly from?: string
  /** The whole id of a commit of it. */
  readonly to?: string
  /** A file of the keys that may sign. */
  readonly signed?: string
  readonly stop?: string
  readonly start?: string
  /** Another installation than that of this program. */
  readonly in?: string
}

/** Gives `update` its options and its help, and what it does. */
export function addUpdate(command: Command): void {
  command
    .description('bring this installation to the newest version, and go back if it is not ready')
    .option('--check', 'only say what would change')
    .option('--yes', 'ask nothing')
    .option(
      '--from <branch>',
      'such as upstream/main; otherwise the branch that this checkout follows',
    )
    .option('--to <commit>', 'a commit of that branch, by its full id; otherwise the newest one')
    .option(
      '--signed <file>',
      'take only a commit that is signed by one of the public keys in this file',
    )
    .option('--stop <command>', 'what stops the server, where systemd does not run it')
    .option('--start <command>', 'what starts it')
    .option(
      '--ready-within <seconds>',
      'how long the new version may take until it is ready; otherwise a minute, or longer if its trial was slow',
      seconds,
    )
    .option('--in <folder>', 'update another installation than this one')
    .addHelpText(
      'after',
      '\nThe same command goes on with an interrupted update. docs/updating.md has all of it.',
    )
    .action(firstHalf)
}

function seconds(text: string): number {
  if (/^[1-9]\d{0,4}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('Must be a whole number of seconds.')
}

/** The half of it that the installed program does; see `update-main.ts` for the other. */
function firstHalf(options: UpdateArguments): Promise<void> {
  // In a folder of the founder's own, our code is a package, and npm brings the next version.
  if (isPackage && options.in === undefined)
    throw new OperatorError(
      'Here the program is a package: "npm install opening-bell@latest --save-exact" updates it. Make a back-up first, and restart the server after it.',
    )
  const folder = options.in ?? productFolder
  if (!existsSync(folder)) throw new OperatorError(`--in: there is no folder ${folder}.`)
  const root = realpathSync(folder)
  const { env, stdin } = process
  const place = {
    root,
    env,
    ...listOf(root),
    source: gitSource(root, workIn(root), { ...options, signers: options.signed }),
    builtFor: builtFor(root),
    findService: () => findService(root, env, options),
    ask: stdin.isTTY ? ask : undefined,
  }
  return run({}, async (out) => {
    refuseOthersFiles(root)
    const end = await update(options, place, reportTo(out))
    return end === 'staged' ? ((await secondHalf(root, env)) ?? exitCodes.stopped) : exitCodes[end]
  })
}

async function ask(): Promise<boolean> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  // Ctrl-C is a no.
  const answer = await terminal.question('Update now? [y/N] ').catch(() => '')
  terminal.close()
  return /^y(es)?$/i.test(answer.trim())
}
