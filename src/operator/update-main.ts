// The version that is being replaced starts the second half of its update at this path.
import '../cli/update-main.ts'
