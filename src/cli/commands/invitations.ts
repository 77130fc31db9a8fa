import { signing, signingAnew } from '../../announcement/invitations.ts'
import { jwkOf } from '../../keys/invitation-codes.ts'
import { exitCodes } from '../../terminal/exit-codes.ts'
import { Misuse } from '../../terminal/operator-error.ts'
import { runWithStore } from '../run.ts'

/** `invitations`: prints the key that signs, and each former one until its last code is over. */
export async function fromCommandLine(options: {
  readonly jwks?: boolean
  readonly newKey?: boolean
  readonly output?: string
}): Promise<void> {
  if (!options.jwks && !options.newKey) throw new Misuse('Add --jwks or --new-key.')
  return runWithStore(options, async ({ invitations: store }, out, { signing: place }) => {
    const { publicKey: own } = await (options.newKey ? signingAnew : signing)(store, place)
    const isPrinted = (one: { publicKey: string; until: Date }) =>
      one.publicKey === own || one.until > new Date()
    const printed = (await store.keys()).filter(isPrinted)
    const keys = await Promise.all(printed.map(({ publicKey }) => jwkOf(publicKey)))
    await out.write(`${JSON.stringify({ keys }, null, 2)}\n`)
    if (options.newKey) out.say('Give these keys to your product before the next letter leaves.')
    return exitCodes.done
  })
}
