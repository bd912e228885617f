-- When were links busy? The measured region in 20 parts: the mean over all links that were in use at
-- all, and the busiest one, in percent.
WITH RECURSIVE run AS (
  SELECT
    MAX(CASE WHEN key = 'debug.cycles' THEN int_value END) AS cycles,
    MAX(CASE WHEN key = 'debug.measured_end' THEN int_value END) AS measured_end
  FROM slice JOIN args USING (arg_set_id)
  WHERE slice.name = 'summary'
),
part (number) AS (SELECT 0 UNION ALL SELECT number + 1 FROM part WHERE number < 19),
bounds AS (
  SELECT
    number,
    measured_end - cycles + cycles * number / 20 AS starts,
    measured_end - cycles + cycles * (number + 1) / 20 AS ends
  FROM part, run
),
sample AS (
  SELECT counter.ts, counter.track_id, counter.value, CAST(SUBSTR(track.unit, 12) AS INTEGER) AS width
  FROM counter
  JOIN thread_counter_track AS track ON track.id = counter.track_id
  JOIN thread USING (utid)
  WHERE track.name = 'busy' AND track.unit LIKE 'cycles per %' AND thread.name IN ('north', 'east', 'south', 'west')
),
step AS (
  SELECT
    track_id,
    value / width AS busy,
    ts AS starts,
    LEAD(ts, 1, ts + width) OVER (PARTITION BY track_id ORDER BY ts) AS ends
  FROM sample
),
used AS (
  SELECT
    bounds.number,
    SUM(CASE WHEN step.starts < bounds.ends AND step.ends > bounds.starts
      THEN step.busy * (MIN(step.ends, bounds.ends) - MAX(step.starts, bounds.starts)) ELSE 0 END) AS cycles,
    bounds.starts,
    bounds.ends
  FROM bounds, step
  GROUP BY bounds.number, step.track_id
)
SELECT
  number AS part,
  starts,
  ends,
  ROUND(100.0 * AVG(cycles) / (ends - starts), 2) AS mean_percent,
  ROUND(100.0 * MAX(cycles) / (ends - starts), 2) AS busiest_percent
FROM used
GROUP BY number
ORDER BY number;
