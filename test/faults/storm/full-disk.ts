import { existsSync } from "node:fs";
import { open } from "node:fs/promises";

// Loaded into a process before the service, where no small file system can be mounted: while the named file is there,
// no write to any file finds room.
const flag = process.env.FULL_DISK_FLAG ?? "";
const handle = await open(process.execPath);
const prototype = Object.getPrototypeOf(handle);
await handle.close();
const { writeFile } = prototype;
prototype.writeFile = async function (...given: unknown[]) {
  if (existsSync(flag)) {
    throw Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC" });
  }
  return await writeFile.apply(this, given);
};
