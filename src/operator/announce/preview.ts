import { renderLetter } from '../../mail/letter/render.ts'
import type { Product } from '../../shared/product.ts'
import { exitCodes } from '../terminal/exit-codes.ts'
import type { Out } from '../terminal/out.ts'
import type { LetterFile } from './letter-file.ts'

/** `announce --preview`: the letter as a page that a browser shows; the link in it leads nowhere. */
export async function preview({ letter, logo }: LetterFile, product: Product, out: Out) {
  const picture = `data:image/png;base64,${logo.toString('base64')}`
  const html = renderLetter(letter, product, picture).html('#unsubscribe')
  // As HTML writes them: the terminal lets none through, and a letter may need them.
  const numbered = html.replace(/\p{Cf}/gu, (character) => `&#${character.codePointAt(0)};`)
  await out.write(numbered)
  return exitCodes.done
}
