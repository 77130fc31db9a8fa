/**
 * An isolated address, so that right-to-left characters reverse neither its parts nor the text
 * around it.
 *
 * @param part is marked where it is found.
 */
export function Address({ email, part = '' }: { readonly email: string; readonly part?: string }) {
  const at = part === '' ? -1 : email.indexOf(part)
  if (at < 0)
    return (
      <bdi className="address" dir="ltr">
        {email}
      </bdi>
    )
  return (
    <bdi className="address" dir="ltr">
      {email.slice(0, at)}
      <mark>{part}</mark>
      {email.slice(at + part.length)}
    </bdi>
  )
}
