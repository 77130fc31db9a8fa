import type { Data } from '../../shared/report.ts'
import { exitCodes } from '../../terminal/exit-codes.ts'
import { Misuse } from '../../terminal/operator-error.ts'
import type { Terminal } from '../feature.ts'
import { jwkOf } from './codes.ts'
import { signing, signingAnew } from './signing.ts'

/** `invitations`: prints the key that signs, and each former one until its last code is over. */
export async function fromTerminal(terminal: Terminal, options: Data): Promise<void> {
  const { jwks, newKey } = options
  if (!jwks && !newKey) throw new Misuse('Add --jwks or --new-key.')
  await terminal.withList(options, async (parts, out) => {
    const { publicKey: own } = await (newKey ? signingAnew : signing)(parts)
    const isPrinted = (one: { publicKey: string; until: Date }) =>
      one.publicKey === own || one.until > new Date()
    const printed = (await parts.store.codeKeys.keys()).filter(isPrinted)
    const keys = await Promise.all(printed.map(({ publicKey }) => jwkOf(publicKey)))
    await out.write(`${JSON.stringify({ keys }, null, 2)}\n`)
    if (newKey) out.say('Give these keys to your product before the next letter leaves.')
    return exitCodes.done
  })
}
