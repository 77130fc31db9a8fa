/**
 * An isolated address, so that right-to-left characters reverse neither its parts nor the text
 * around it.
 *
 * @param part is marked where it is found.
 */
export function Address({ email, part = '' }: { readonly email: string; readonly part?: string }) {
  const at = part === '' ? -1 : email.indexOf(part)
  return (
    <bdi className="address" dir="ltr">
      {at < 0 ? email : email.slice(0, at)}
      {at >= 0 && <mark>{part}</mark>}
      {at >= 0 && email.slice(at + part.length)}
    </bdi>
  )
}
