import { shortened } from '../../../shared/plain-line.ts'
import { say } from '../../../shared/say.ts'

const MOST = 80

/**
 * A name that came from outside, such as the source in a link: in one line, cut, and isolated, so
 * that no direction mark in it reverses the words around it.
 */
export function Foreign({ text }: { readonly text: string }) {
  const cut = shortened(text.replace(/[\p{C}\p{Z}\s]+/gu, ' ').trim(), MOST)
  return (
    <bdi className="foreign" title={cut}>
      {cut || say('(blank)')}
    </bdi>
  )
}
