import type { Page } from '@playwright/test'

/** A picture and how long it is seen, in milliseconds. */
export interface Frame {
  readonly png: Buffer
  readonly duration: number
}

/** What a frame changes: a still WebP, and where it lies in the whole. */
interface Patch {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
  readonly webp: string
}

/**
 * Makes one animated WebP, which begins again for ever. The browser encodes what changes from frame
 * to frame; here it is only put into the container, as RFC 9649 describes it.
 *
 * @param page an empty one, to work in. @param frames all of one size.
 */
export async function animatedWebp(page: Page, frames: readonly Frame[]): Promise<Buffer> {
  const anmf: Buffer[] = []
  let size = { width: 0, height: 0 }
  let before: string | undefined
  for (const { png, duration } of frames) {
    const now = `data:image/png;base64,${png.toString('base64')}`
    const patch = await page.evaluate(encodeChange, { now, before })
    if (before === undefined) size = patch
    before = now
    anmf.push(chunk('ANMF', placeOf(patch, duration), pictureIn(Buffer.from(patch.webp, 'base64'))))
  }
  const animation = 0b10
  const head = Buffer.concat([
    bytes(animation, 4),
    bytes(size.width - 1, 3),
    bytes(size.height - 1, 3),
  ])
  const background = 0xff000000
  const forEver = 0
  const anim = Buffer.concat([bytes(background, 4), bytes(forEver, 2)])
  return chunk('RIFF', Buffer.from('WEBP'), chunk('VP8X', head), chunk('ANIM', anim), ...anmf)
}

function placeOf({ x, y, width, height }: Patch, duration: number): Buffer {
  const replaces = 0b10
  return Buffer.concat([
    ...[x / 2, y / 2, width - 1, height - 1, duration].map((value) => bytes(value, 3)),
    bytes(replaces, 1),
  ])
}

/** The picture's own chunk, out of a still WebP, without what it says of its colours. */
function pictureIn(webp: Buffer): Buffer {
  for (let at = 12; at < webp.length; ) {
    const length = webp.readUInt32LE(at + 4)
    const end = at + 8 + length + (length % 2)
    if (/^VP8[ L]$/.test(webp.toString('latin1', at, at + 4))) return webp.subarray(at, end)
    at = end
  }
  throw new Error('a frame has come without a picture')
}

function chunk(name: string, ...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts)
  const padding = Buffer.alloc(content.length % 2)
  return Buffer.concat([Buffer.from(name), bytes(content.length, 4), content, padding])
}

function bytes(value: number, count: number): Buffer {
  const buffer = Buffer.alloc(count)
  buffer.writeUIntLE(value, 0, count)
  return buffer
}

/** Runs in the browser: the smallest part that holds all that has changed, on even coordinates. */
async function encodeChange({ now, before }: { now: string; before: string | undefined }) {
  async function draw(url: string) {
    const image = new Image()
    image.src = url
    await image.decode()
    const canvas = new OffscreenCanvas(image.width, image.height)
    const context = canvas.getContext('2d', { alpha: false, willReadFrequently: true })
    if (!context) throw new Error('there is no canvas')
    context.drawImage(image, 0, 0)
    return context
  }
  const context = await draw(now)
  const { width, height } = context.canvas
  let [left, top, right, bottom] = [0, 0, width, height]
  if (before !== undefined) {
    ;[left, top, right, bottom] = [width, height, 2, 2]
    const old = new Uint32Array((await draw(before)).getImageData(0, 0, width, height).data.buffer)
    const fresh = new Uint32Array(context.getImageData(0, 0, width, height).data.buffer)
    for (let at = 0; at < fresh.length; at += 1) {
      if (fresh[at] === old[at]) continue
      const [x, y] = [at % width, Math.floor(at / width)]
      left = Math.min(left, x - (x % 2))
      top = Math.min(top, y - (y % 2))
      right = Math.max(right, x + 1)
      bottom = Math.max(bottom, y + 1)
    }
    left = Math.min(left, right - 2)
    top = Math.min(top, bottom - 2)
    left -= left % 2
    top -= top % 2
  }
  const part = new OffscreenCanvas(right - left, bottom - top)
  part.getContext('2d', { alpha: false })?.drawImage(context.canvas, -left, -top)
  const blob = await part.convertToBlob({ type: 'image/webp', quality: 0.82 })
  const binary = Array.from(new Uint8Array(await blob.arrayBuffer()), (byte) =>
    String.fromCharCode(byte),
  ).join('')
  return { x: left, y: top, width: part.width, height: part.height, webp: btoa(binary) }
}
