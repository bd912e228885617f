-- How long was each iteration? From the first place that began it to the first that began the next,
-- and how far apart places began. Programs mark them on wafers; elsewhere there are none.
WITH begun AS (
  SELECT
    slice.ts,
    ROW_NUMBER() OVER (PARTITION BY slice.track_id ORDER BY slice.ts) AS iteration
  FROM slice
  JOIN thread_track ON thread_track.id = slice.track_id
  WHERE slice.name = 'iteration' AND slice.dur = 0
),
earliest AS (
  SELECT iteration, MIN(ts) AS at, MAX(ts) - MIN(ts) AS apart, COUNT(*) AS places
  FROM begun
  GROUP BY iteration
)
SELECT iteration, at, LEAD(at) OVER (ORDER BY iteration) - at AS cycles, apart AS begun_within, places
FROM earliest
ORDER BY iteration;
