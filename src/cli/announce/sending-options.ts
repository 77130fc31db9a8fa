import type { RecipientSelection } from '../../announcement/run-options.ts'
import type { Rate } from '../../announcement/sending/rate.ts'
import type { ResolveTxt } from '../../checks/sender.ts'

type Stages = Pick<RecipientSelection, 'includeNew' | 'retry' | 'first'>

/** The options of a command that sends to everybody, as the command line gives them. */
export interface SendingArguments extends Stages {
  readonly preview?: boolean
  readonly dryRun?: boolean
  readonly to?: string
  /** Left out for the rate by which it was sent before. */
  readonly rate?: Rate
  readonly stopShare: number
  readonly goOn?: boolean
  readonly dkimSelector?: string
  readonly dnsServer?: ResolveTxt
  /** The names of problems to go on in spite of, as `problemName` gives them. */
  readonly force?: readonly string[]
  readonly json?: boolean
  /** Also what is zero or good. */
  readonly all?: boolean
  readonly output?: string
  readonly list?: boolean
}
