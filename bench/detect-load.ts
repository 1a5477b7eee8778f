/**
 * A fresh process for `detect.ts`: loads the engine, searches a text that uses every list, and prints the cost as JSON:
 * CPU milliseconds, and megabytes of additional memory. The time is that of the main thread, which a user waits for.
 * The time of all threads is separate, because optimising the type stripper (WebAssembly) would be most of it.
 */
const before = process.memoryUsage();
const start = process.cpuUsage();
const threadStart = process.threadCpuUsage();

function cpuMs(): number {
  const { user, system } = process.threadCpuUsage(threadStart);
  return (user + system) / 1000;
}

const { Detector } = await import('../core/detect/detector.ts');
const loadedMs = cpuMs();
const detector = new Detector();
detector.detect(
  'Emily Harrington, 4800 Pine Ave, Reno, NV 89501. 氏名：高橋 美咲、ヤマダ タロウ、マイケル・ジョーンズ、東京都港区架空町1-2-3、株式会社架空商事、090-1234-5678',
);
const readyMs = cpuMs();
const all = process.cpuUsage(start);
const after = process.memoryUsage();
const megabytes = (bytes: number) => bytes / 1e6;
console.log(
  JSON.stringify({
    loadedMs,
    readyMs,
    allThreadsMs: (all.user + all.system) / 1000,
    rss: megabytes(after.rss - before.rss),
    heap: megabytes(after.heapUsed + after.external - before.heapUsed - before.external),
  }),
);
