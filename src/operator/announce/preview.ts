import { SAMPLE_CODE } from '../../keys/invitation-codes.ts'
import { renderLetter } from '../../mail/letter/render.ts'
import type { Product } from '../../shared/product.ts'
import { exitCodes } from '../terminal/exit-codes.ts'
import type { Out } from '../terminal/out.ts'
import type { LetterFile } from './letter-file.ts'

/** `announce --preview`: the letter as an HTML page. Its unsubscribe link and its invitation do not work. */
export async function preview({ letter, logo }: LetterFile, product: Product, out: Out) {
  const picture = `data:image/png;base64,${logo.toString('base64')}`
  const html = renderLetter(letter, product, picture).html('#unsubscribe', SAMPLE_CODE)
  // Format characters as HTML entities: the terminal would escape them, and a letter may need them.
  const numbered = html.replace(/\p{Cf}/gu, (character) => `&#${character.codePointAt(0)};`)
  await out.write(numbered)
  return exitCodes.done
}
