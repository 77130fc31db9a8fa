const MOST = 80

/**
 * A name that came from outside, such as the source in a link: in one line, cut, and isolated, so
 * that no direction mark in it reverses the words around it.
 */
export function Foreign({ text }: { readonly text: string }) {
  const shown = [...text.replace(/[\p{C}\p{Z}\s]+/gu, ' ').trim()]
  const cut = shown.length > MOST ? `${shown.slice(0, MOST - 1).join('')}…` : shown.join('')
  return (
    <bdi className="foreign" title={cut}>
      {cut || '(blank)'}
    </bdi>
  )
}
